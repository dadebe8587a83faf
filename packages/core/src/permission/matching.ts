import { pathTarget } from "./path-target.js"
import { anything, type PermissionTarget, textTarget } from "./permission-target.js"
import { shellTargets } from "./shell-target.js"
import { escapePattern } from "./wildcard.js"

/**
 * What the patterns of a permission are matched against:
 *
 * | | |
 * |---|---|
 * | `text` | the text as it is |
 * | `path` | where a path leads, with `..` and links followed; from the working folder, or absolute |
 * | `shell` | each simple command of a command line for a POSIX shell; a wildcard never describes an operator |
 */
export type PermissionMatching = "text" | "path" | "shell"

/** The permissions by which opencode's rules speak of paths and commands; of all others they speak of texts. */
const MATCHING: Readonly<Record<string, PermissionMatching>> = {
  bash: "shell",
  edit: "path",
  read: "path",
  list: "path",
  external_directory: "path",
}

/** What a permission is asked for, as rules are matched against it. */
export interface PermissionTargets {
  readonly targets: readonly PermissionTarget[]
  /** What people are shown. */
  readonly texts: readonly string[]
  /** The patterns that describe just that. */
  readonly literals: readonly string[]
}

/** How patterns are to be understood. */
export interface MatchingOptions {
  /** That of the permission when not given. */
  readonly matching?: PermissionMatching | undefined
  /** Where relative paths begin; the working folder of the process when not given. */
  readonly folder?: string | undefined
}

export function permissionTargets(
  permission: string,
  patterns: readonly string[],
  { matching = matchingOf(permission), folder = process.cwd() }: MatchingOptions = {},
): PermissionTargets {
  if (patterns.length === 0) return { targets: [anything], texts: ["*"], literals: ["*"] }
  if (matching === "path") {
    const targets = patterns.map((pattern) => pathTarget(pattern, folder))
    const literals = targets.flatMap(({ paths }) => paths).map(escapePattern)
    return { targets, texts: targets.flatMap(({ texts }) => texts), literals }
  }
  const targets = patterns.flatMap((each) => (matching === "shell" ? shellTargets(each) : [textTarget(each)]))
  return { targets, texts: patterns, literals: patterns.map(escapePattern) }
}

function matchingOf(permission: string): PermissionMatching {
  return Object.hasOwn(MATCHING, permission) ? (MATCHING[permission] as PermissionMatching) : "text"
}

import { isAbsolute, posix, relative, resolve, sep } from "node:path"
import { comparablePath, isInside } from "../project/path.js"
import type { Overlap, PermissionTarget } from "./permission-target.js"
import { realPath, walkedPath } from "./real-path.js"
import { escapePattern, matchesWildcard } from "./wildcard.js"

/** A path that is asked for. */
export interface PathTarget extends PermissionTarget {
  /** Where it leads, from the folder when it lies inside, else absolute; several when that is ambiguous. */
  readonly texts: readonly string[]
  /** The same, all absolute: what is allowed in one folder must not be allowed in another. */
  readonly paths: readonly string[]
}

/**
 * A path, which patterns describe by its way from `folder` or in full, with slashes. It counts where the path leads:
 * without `..` and with links followed. A rule that denies or asks also counts when it describes the path as it was
 * written.
 */
export function pathTarget(path: string, folder: string): PathTarget {
  const root = leadsTo(folder) ?? folder
  const real = placesOf(path, folder)?.map((place) => spellings(place, root))
  const written = [folder, root].map((each) => spellings(resolve(each, path), each))
  const all = [...(real ?? []), ...written]
  const shown = real ?? written.slice(0, 1)
  return {
    texts: shown.map(([text = path]) => text),
    paths: shown.map((each) => each.at(-1) ?? path),
    overlap: (pattern): Overlap => {
      if (pattern === "*") return "all"
      const patterns = patternSpellings(pattern, folder, root)
      const isDescribed = (each: readonly string[]) =>
        each.some((spelling) => patterns.some((form) => matchesWildcard(spelling, form)))
      if (real?.every(isDescribed)) return "all"
      if (all.some(isDescribed)) return "some"
      return real === undefined ? "unknown" : "none"
    },
  }
}

/**
 * Whether a path leads into a folder or to the folder itself, with links followed.
 *
 * @example
 * ```ts
 * leadsInside("/home/dev/acme", "../other") // false
 * ```
 */
export function leadsInside(folder: string, path: string): boolean {
  const root = leadsTo(folder)
  if (root === undefined) return false
  return placesOf(path, folder)?.every((place) => isInside(root, place)) ?? false
}

/** Where a path leads; twice when a link before `..` makes that depend on who follows it. */
function placesOf(path: string, folder: string): string[] | undefined {
  try {
    return [...new Set([realPath(resolve(folder, path)), walkedPath(folder, path)])]
  } catch (error) {
    // Nobody can say where it leads: a NUL in it, links in a circle, a folder that may not be entered.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

function spellings(path: string, folder: string): string[] {
  const full = comparablePath(slashed(path))
  if (!isInside(folder, path)) return [full]
  const inner = comparablePath(slashed(relative(folder, path)))
  return [inner === "" ? "." : inner, full]
}

/** A pattern as it is written and, where it begins with a folder that links lead to, with where that is. */
function patternSpellings(pattern: string, folder: string, root: string): string[] {
  const isWindows = sep === "\\" || /^[a-z]:[\\/]/i.test(pattern)
  const slashes = isWindows ? comparablePath(pattern.replaceAll(/\\{1,2}/g, "/")) : pattern
  const form = /^\.\.?\//.test(slashes) ? posix.join(escapePattern(slashed(folder)), slashes) : slashes
  const [fixed = ""] = /^\/(?:[^*?\\]*\/)?/.exec(form) ?? []
  const target = fixed === "" || !isAbsolute(fixed) ? undefined : leadsTo(fixed)
  // A link inside of the folder belongs to the author of its content, not to the rule.
  if (target === undefined || [folder, root].some((each) => isInside(each, fixed))) return [form]
  return [form, `${escapePattern(target.replace(/\/$/, ""))}/${form.slice(fixed.length)}`]
}

function leadsTo(path: string): string | undefined {
  try {
    return realPath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

function slashed(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path
}

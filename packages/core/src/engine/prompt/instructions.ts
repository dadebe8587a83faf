import { isAbsolute, join, parse, resolve } from "node:path"
import type { PathEnvironment } from "../../paths/opencode-paths.js"
import { leadsInside } from "../../permission/path-target.js"
import { ConfigurationError } from "../config/configuration-error.js"
import { configurationFolder, foldersBetween, homeFolder, trustBoundary } from "../config/folders.js"
import { IGNORED, type IgnoredSetting } from "../config/ignored-setting.js"
import { readText } from "../config/read-text.js"
import { glob } from "./glob.js"

/** Whose instructions to look for. */
export interface InstructionsOptions {
  /** Where the work is done. */
  readonly directory: string
  /** The root of the repository around it, where looking for files ends. */
  readonly worktree: string
  /**
   * Further files, by path or wildcards, as configuration names them: absolute, in the home folder after `~/`, or in
   * any folder from the worktree down to the directory. Web addresses are not followed.
   */
  readonly instructions?: readonly string[] | undefined
  /** Whether the user trusts the worktree, see `TrustedFolders`; not when not given: then no link leads out of it. */
  readonly isTrusted?: boolean | undefined
  /** Reports a file that is not read. */
  readonly onIgnored?: ((ignored: IgnoredSetting) => void) | undefined
  /** What decides where the user's own instructions are; by default the running process. */
  readonly environment?: PathEnvironment | undefined
}

const LOCAL_NAMES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"]

/**
 * The texts that people leave for models, each under a line that says where it is from: those of the project, from
 * the worktree down to the directory, then those of the user, then those that configuration names. The same text is
 * given only once, and `undefined` when there is none.
 */
export async function instructionsPrompt(options: InstructionsOptions): Promise<string | undefined> {
  const { directory, worktree, instructions = [], isTrusted = false, environment = {} } = options
  const boundary = trustBoundary(worktree, directory)
  const folders = foldersBetween(boundary, directory)
  const local = folders.flatMap((folder) => LOCAL_NAMES.map((name) => join(folder, name)))
  const within = isTrusted ? undefined : boundary
  const stated = await Promise.all(instructions.map((path) => locateStated(path, folders, options)))
  const files = [...local.map((path) => ({ path, within })), ...userFiles(environment), ...stated.flat()]

  const pathByText = new Map<string, string>()
  for (const file of files) {
    const text = await readInstructions(file, options.onIgnored)
    if (text !== "" && !pathByText.has(text)) pathByText.set(text, file.path)
  }
  const sections = [...pathByText].map(([text, path]) => `Instructions from: ${path}\n${text}`)
  return sections.length === 0 ? undefined : sections.join("\n\n")
}

interface InstructionFile {
  readonly path: string
  /** The folder that no link may lead out of; none for what the user has written or named. */
  readonly within?: string | undefined
}

function userFiles(environment: PathEnvironment): InstructionFile[] {
  const [settings, home] = [configurationFolder(environment), homeFolder(environment)]
  return [
    ...(settings === undefined ? [] : [{ path: join(settings, "AGENTS.md") }]),
    ...(home === undefined ? [] : [{ path: join(home, ".claude", "CLAUDE.md") }]),
  ]
}

async function locateStated(
  path: string,
  folders: readonly string[],
  { directory, worktree, isTrusted = false, environment = {} }: InstructionsOptions,
): Promise<InstructionFile[]> {
  if (/^https?:\/\//.test(path)) return []
  const home = homeFolder(environment)
  const expanded = home !== undefined && path.startsWith("~/") ? join(home, path.slice(2)) : path
  const slashed = expanded.replaceAll("\\", "/")
  if (isAbsolute(expanded)) {
    const { root } = parse(resolve(expanded))
    return (await glob(root, slashed.slice(root.length))).map((found) => ({ path: found }))
  }
  const within = isTrusted ? undefined : trustBoundary(worktree, directory)
  const found = (await Promise.all(folders.map((folder) => glob(folder, slashed)))).flat()
  return found.map((each) => ({ path: each, within }))
}

/** The text of a file; empty when it is not there, is no regular file, or leads out of a folder that binds it. */
async function readInstructions(
  { path: source, within }: InstructionFile,
  onIgnored: InstructionsOptions["onIgnored"],
): Promise<string> {
  if (within !== undefined && !leadsInside(within, source)) {
    onIgnored?.({ source, reason: IGNORED.outside })
    return ""
  }
  try {
    return (await readText(source))?.trim() ?? ""
  } catch (error) {
    if (!ConfigurationError.is(error)) throw error
    // A model can work without it, and every step would fail.
    onIgnored?.({ source, reason: error.problems.map(({ reason }) => reason).join("; ") })
    return ""
  }
}

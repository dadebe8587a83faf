import { isAbsolute, join, parse, resolve } from "node:path"
import type { PathEnvironment } from "../../paths/opencode-paths.js"
import { configurationFolder, foldersBetween, homeFolder } from "../config/folders.js"
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
  const { directory, worktree, instructions = [], environment = {} } = options
  const folders = foldersBetween(worktree, directory)
  const local = folders.flatMap((folder) => LOCAL_NAMES.map((name) => join(folder, name)))
  const stated = await Promise.all(instructions.map((path) => locateStated(path, folders, environment)))
  const paths = new Set([...local, ...userFiles(environment), ...stated.flat()])

  const pathByText = new Map<string, string>()
  for (const [path, text] of await Promise.all([...paths].map(readTrimmed))) {
    if (text !== "" && !pathByText.has(text)) pathByText.set(text, path)
  }
  const sections = [...pathByText].map(([text, path]) => `Instructions from: ${path}\n${text}`)
  return sections.length === 0 ? undefined : sections.join("\n\n")
}

function userFiles(environment: PathEnvironment): string[] {
  const [settings, home] = [configurationFolder(environment), homeFolder(environment)]
  return [
    ...(settings === undefined ? [] : [join(settings, "AGENTS.md")]),
    ...(home === undefined ? [] : [join(home, ".claude", "CLAUDE.md")]),
  ]
}

async function locateStated(
  path: string,
  folders: readonly string[],
  environment: PathEnvironment,
): Promise<string[]> {
  if (/^https?:\/\//.test(path)) return []
  const home = homeFolder(environment)
  const expanded = home !== undefined && path.startsWith("~/") ? join(home, path.slice(2)) : path
  const slashed = expanded.replaceAll("\\", "/")
  if (!isAbsolute(expanded)) return (await Promise.all(folders.map((folder) => glob(folder, slashed)))).flat()
  const { root } = parse(resolve(expanded))
  return glob(root, slashed.slice(root.length))
}

async function readTrimmed(path: string): Promise<[path: string, text: string]> {
  return [path, (await readText(path))?.trim() ?? ""]
}

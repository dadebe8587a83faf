import { dirname, posix, resolve, win32 } from "node:path"
import type { PathEnvironment } from "../../paths/opencode-paths.js"
import { isInside } from "../../project/path.js"

/** The folders from `top` down to `directory`; only the latter when it does not lie in the former. */
export function foldersBetween(top: string, directory: string): string[] {
  const [outer, inner] = [resolve(top), resolve(directory)]
  if (!isInside(outer, inner)) return [inner]
  const folders = [inner]
  for (let folder = inner; folder !== outer && folder !== dirname(folder); ) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}

/**
 * The folder with the settings of the user: `$XDG_CONFIG_HOME/opencode`, else `.config/opencode` in the home folder;
 * `undefined` when neither is known.
 */
export function configurationFolder(environment: PathEnvironment = {}): string | undefined {
  return settingsOf("opencode", environment)
}

/** The folder with what the user has decided here, beside opencode's; `undefined` when neither is known. */
export function decisionsFolder(environment: PathEnvironment = {}): string | undefined {
  return settingsOf("sessile", environment)
}

function settingsOf(program: string, environment: PathEnvironment): string | undefined {
  const { platform = process.platform, variables = process.env } = environment
  const path = platform === "win32" ? win32 : posix
  const { XDG_CONFIG_HOME } = variables
  if (XDG_CONFIG_HOME && path.isAbsolute(XDG_CONFIG_HOME)) return path.join(XDG_CONFIG_HOME, program)
  const home = homeFolder(environment)
  return home === undefined ? undefined : path.join(home, ".config", program)
}

/**
 * The folder that the user trusts or not, see `TrustedFolders`: the worktree, or the directory itself where that lies
 * in no repository or elsewhere. A folder can claim the worktree of any repository for its own, and must not inherit
 * the trust in it.
 *
 * @example
 * ```ts
 * const isTrusted = await trust.has(trustBoundary(project.worktree, directory))
 * ```
 */
export function trustBoundary(worktree: string, directory: string): string {
  const [top, inner] = [resolve(worktree), resolve(directory)]
  return top === dirname(top) || !isInside(top, inner) ? inner : top
}

/** The home folder of the user; `undefined` when it is not known. */
export function homeFolder(environment: PathEnvironment = {}): string | undefined {
  const { platform = process.platform, variables = process.env } = environment
  return (platform === "win32" ? variables.USERPROFILE : variables.HOME) || undefined
}

import { posix, win32 } from "node:path"
import { DataFolderError } from "./data-folder-error.js"

/** What decides where opencode keeps its data; whatever is not given is taken from the running process. */
export interface PathEnvironment {
  /** Decides the rules and the separators: `"win32"` or anything else. */
  readonly platform?: NodeJS.Platform
  /** Environment variables; an empty one counts as unset. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** Where a relative `OPENCODE_DATA_DIR` starts. */
  readonly workingDirectory?: string
}

/** Where opencode keeps what; the files and folders need not exist. */
export interface OpencodePaths {
  /** The data folder, which holds all the others. */
  readonly data: string
  /** The JSON store of releases up to 1.1. */
  readonly storage: string
  /** The folder of the legacy layout, up to about 0.6: one folder per project. */
  readonly project: string
  /** The database of releases from 1.2 on. */
  readonly database: string
}

/**
 * Finds opencode's data without touching the file system.
 *
 * The data folder is the first of:
 * 1. `OPENCODE_DATA_DIR`; a relative one starts at the working directory
 * 2. `$XDG_DATA_HOME/opencode`; a relative `XDG_DATA_HOME` is ignored, as the XDG specification asks
 * 3. on Windows `%LOCALAPPDATA%\opencode`, or `AppData\Local\opencode` in `%USERPROFILE%`; elsewhere, macOS
 *    included, `~/.local/share/opencode`
 *
 * The database is `OPENCODE_DB` when that is set (a relative one starts at the data folder), else `opencode.db`.
 *
 * @throws DataFolderError when none of these variables nor a home folder is set
 *
 * @example
 * ```ts
 * opencodePaths().storage // "/home/dev/.local/share/opencode/storage"
 * ```
 */
export function opencodePaths(environment: PathEnvironment = {}): OpencodePaths {
  const { path, variables } = resolve(environment)
  const data = dataFolder(environment)
  const database = variables.OPENCODE_DB || "opencode.db"
  return {
    data,
    storage: path.join(data, "storage"),
    project: path.join(data, "project"),
    database: path.isAbsolute(database) ? database : path.join(data, database),
  }
}

/**
 * The database that a release of another channel than the stable one opens: `opencode-<channel>.db` in the data
 * folder. `OPENCODE_DB` does not enter into it.
 *
 * @throws DataFolderError as {@link opencodePaths} does
 */
export function opencodeChannelDatabase(channel: string, environment: PathEnvironment = {}): string {
  return resolve(environment).path.join(dataFolder(environment), `opencode-${channel}.db`)
}

function dataFolder(environment: PathEnvironment): string {
  const { path, variables } = resolve(environment)
  const { OPENCODE_DATA_DIR, XDG_DATA_HOME, LOCALAPPDATA, USERPROFILE, HOME } = variables
  if (OPENCODE_DATA_DIR) {
    // An absolute folder needs no working directory, and asking for one that was deleted throws.
    if (path.isAbsolute(OPENCODE_DATA_DIR)) return OPENCODE_DATA_DIR
    return path.resolve(environment.workingDirectory ?? process.cwd(), OPENCODE_DATA_DIR)
  }
  if (XDG_DATA_HOME && path.isAbsolute(XDG_DATA_HOME)) return path.join(XDG_DATA_HOME, "opencode")
  if (path === posix) {
    if (HOME) return path.join(HOME, ".local", "share", "opencode")
    throw new DataFolderError("HOME, XDG_DATA_HOME or OPENCODE_DATA_DIR")
  }
  if (LOCALAPPDATA) return path.join(LOCALAPPDATA, "opencode")
  if (USERPROFILE) return path.join(USERPROFILE, "AppData", "Local", "opencode")
  throw new DataFolderError("LOCALAPPDATA, USERPROFILE, XDG_DATA_HOME or OPENCODE_DATA_DIR")
}

function resolve({ platform = process.platform, variables = process.env }: PathEnvironment) {
  return { path: platform === "win32" ? win32 : posix, variables }
}

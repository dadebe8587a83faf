import { mkdir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { z } from "zod"
import type { PathEnvironment } from "../../paths/opencode-paths.js"
import { realPath } from "../../permission/real-path.js"
import { comparablePath } from "../../project/path.js"
import { readRegularFile } from "../../project/read-regular-file.js"
import { replaceFile } from "../../project/replace-file.js"
import { KeyLock } from "../../storage/key-lock.js"
import { checkOptions } from "../../storage/options.js"
import { StorageError } from "../../storage/storage-error.js"
import { ConfigurationError } from "./configuration-error.js"
import { decisionsFolder } from "./folders.js"

/** Where decisions are kept. */
export interface TrustedFoldersOptions {
  /** The file; `sessile/trusted-folders.json` among the settings of the user when not given. */
  readonly file?: string | undefined
  /** What decides where the user's settings are; by default the running process. */
  readonly environment?: PathEnvironment | undefined
}

/**
 * The folders whose content the user trusts: their configuration, agents and instructions may then read files outside
 * of them and widen the rules of the user (see `loadConfiguration`). A decision is about one folder, not about those
 * above or below, and is kept in a file that only its owner can read and write.
 *
 * @example
 * ```ts
 * const trust = new TrustedFolders()
 * const folder = trustBoundary(worktree, directory)
 * if (!(await trust.has(folder)) && (await confirm(`Do you trust ${folder}?`))) await trust.add(folder)
 * const isTrusted = await trust.has(folder)
 * const { configuration, ignored } = await loadConfiguration({ directory, worktree, isTrusted })
 * ```
 */
export class TrustedFolders {
  readonly #file: string
  readonly #lock = new KeyLock()

  /** @throws StorageError `INVALID_ARGUMENT` for unknown options, and where no home folder is known */
  constructor(options: TrustedFoldersOptions = {}) {
    checkOptions("TrustedFolders", options, { file: "string?", environment: "object?" })
    const folder = decisionsFolder(options.environment)
    const file = options.file ?? (folder && join(folder, "trusted-folders.json"))
    if (file === undefined) {
      throw new StorageError("INVALID_ARGUMENT", "TrustedFolders: no home folder is known; pass a file")
    }
    this.#file = file
  }

  /** @throws ConfigurationError when the file is damaged, or others can write to it */
  async has(folder: string): Promise<boolean> {
    return (await this.list()).includes(spelling(folder))
  }

  /** Records that the user trusts a folder. */
  add(folder: string): Promise<void> {
    return this.#change((folders) => [...new Set([...folders, spelling(folder)])].sort())
  }

  /** Records that the user does not trust a folder any more. */
  remove(folder: string): Promise<void> {
    return this.#change((folders) => folders.filter((each) => each !== spelling(folder)))
  }

  /** The folders that are trusted, by their real paths. */
  async list(): Promise<string[]> {
    const text = await this.#read()
    if (text === undefined) return []
    const parsed = TrustFile.safeParse(parseJson(text))
    if (!parsed.success)
      throw this.#problem("this is no list of trusted folders; remove the file to start anew")
    return parsed.data.folders
  }

  #change(edit: (folders: readonly string[]) => string[]): Promise<void> {
    return this.#lock.exclusive(this.#file, async () => {
      const folders = edit(await this.list())
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 })
      await replaceFile(this.#file, `${JSON.stringify({ folders }, null, 2)}\n`, 0o600)
    })
  }

  async #read(): Promise<string | undefined> {
    try {
      const found = await stat(this.#file)
      const isShared = process.platform !== "win32" && (found.mode & 0o022) !== 0
      const isForeign = process.getuid !== undefined && found.uid !== process.getuid()
      if (isShared || isForeign)
        throw this.#problem("others can write to this file; check it, and chmod it to 600")
      return await readRegularFile(this.#file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
      throw error
    }
  }

  #problem(reason: string): ConfigurationError {
    return new ConfigurationError(this.#file, [{ line: 1, column: 1, reason }])
  }
}

const TrustFile = z.object({ folders: z.array(z.string()) })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function spelling(folder: string): string {
  return comparablePath(realPath(folder))
}

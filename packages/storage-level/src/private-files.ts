import { chmod } from "node:fs/promises"
import { join } from "node:path"
import { filesOf } from "./database.js"

/** For its owner only: histories hold secrets. */
const FILE_MODE = 0o600

/** The names of all files that LevelDB makes. */
const ENGINE_FILE = /^(CURRENT|LOCK|LOG|LOG\.old|MANIFEST-\d+|\d+\.(ldb|sst|log))$/

/**
 * Restricts the files of LevelDB to their owner. LevelDB makes them as the umask allows, whenever it likes and in a
 * thread of its own, and a library must not change the umask.
 */
export class PrivateFiles {
  readonly #folder: string
  #restricted: ReadonlySet<string> = new Set()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Restricts those that were not there the last time. */
  async restrict(): Promise<void> {
    const names = ((await filesOf(this.#folder)) ?? []).filter((name) => ENGINE_FILE.test(name))
    for (const name of names) if (!this.#restricted.has(name)) await restrictFile(join(this.#folder, name))
    // LevelDB makes these anew under the same names.
    this.#restricted = new Set(names.filter((name) => !/^[CL]/.test(name)))
  }
}

async function restrictFile(path: string): Promise<void> {
  try {
    await chmod(path, FILE_MODE)
  } catch (error) {
    // Removed by LevelDB since, owned by another user, or on a file system that has no permissions.
    if (!["ENOENT", "EPERM", "ENOTSUP", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error
  }
}

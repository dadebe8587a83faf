import { statfs } from "node:fs/promises"
import { StorageError } from "@sessile/core/storage"
import { levelFault } from "./level-fault.js"
import type { PrivateFiles } from "./private-files.js"

/** Room for what LevelDB writes on its own account when it moves records from its log into tables. */
const RESERVE = 64 * 1024 * 1024

/** How much is written between two looks at the disk, at most. */
const STRIDE = 1024 * 1024

/**
 * Stands before an engine that cannot go on once it has met a full disk: its tables stay unwritten, and what it
 * puts into its log behind a torn write is lost at the next opening. So records are refused while there still is
 * room, and after a write that failed all the same nothing is written any more.
 */
export class WriteGuard {
  readonly #path: string
  readonly #files: PrivateFiles
  #failure: StorageError | undefined
  #allowance = 0

  constructor(path: string, files: PrivateFiles) {
    this.#path = path
    this.#files = files
  }

  /** Whether a change failed, so that the log may end within it. */
  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /**
   * Carries out a change that adds about `size` bytes.
   *
   * @throws StorageError `FULL` before anything changes, or what the change came to
   */
  async run(size: number, change: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) throw this.#afterFailure(this.#failure)
    if (size > this.#allowance) await this.#measure(size)
    this.#allowance -= size
    try {
      await change()
    } catch (error) {
      this.#failure ??= levelFault("write to the store", error, this.#path)
      throw this.#failure
    }
  }

  async #measure(size: number): Promise<void> {
    const { bavail, blocks, bsize } = await this.#statistics()
    // On a small medium all that fits into the log must fit into a table beside it. Some file systems do not tell
    // how large they are.
    const reserve = Math.min(RESERVE, (blocks * bsize) / 2)
    const room = blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize - reserve
    if (size > 0 && room < size) throw this.#full()
    this.#allowance = Math.max(size, Math.min(STRIDE, room / 8))
  }

  async #statistics() {
    try {
      await this.#files.restrict()
      return await statfs(this.#path)
    } catch (error) {
      throw levelFault("write to the store", error, this.#path)
    }
  }

  #full(): StorageError {
    const message = "Cannot write to the store: the disk is nearly full; free some space and try again"
    return new StorageError("FULL", message, { path: this.#path })
  }

  #afterFailure(failure: StorageError): StorageError {
    const message = "An earlier write failed; close the store, see to the cause, and open it again"
    return new StorageError(failure.code, message, { path: this.#path, cause: failure })
  }
}

import { randomBytes } from "node:crypto"
import { type FileHandle, open, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { escapeControls } from "./printable.js"

/** A file that appears whole or not at all, and that only its owner can read: reports name projects and sessions. */
export class ReportFile implements AsyncDisposable {
  readonly #path: string
  readonly #temporary: string
  readonly #file: FileHandle
  #isOpen = true

  private constructor(path: string, temporary: string, file: FileHandle) {
    this.#path = path
    this.#temporary = temporary
    this.#file = file
  }

  /** Makes sure, before any work is done, that the file can be written. */
  static async create(path: string): Promise<ReportFile> {
    const name = `.${basename(path)}.${randomBytes(6).toString("hex")}`
    const temporary = join(dirname(path), name)
    try {
      return new ReportFile(path, temporary, await open(temporary, "wx", 0o600))
    } catch (error) {
      throw new StorageError("IO", "Cannot write the report here; choose another place", {
        path,
        cause: error,
      })
    }
  }

  async write(pieces: Iterable<string>): Promise<void> {
    for (const piece of pieces) await this.#file.write(escapeControls(piece))
    await this.#file.sync()
    await this.#close()
    await rename(this.#temporary, this.#path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
    await rm(this.#temporary, { force: true })
  }

  async #close(): Promise<void> {
    if (this.#isOpen) await this.#file.close()
    this.#isOpen = false
  }
}

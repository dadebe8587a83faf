import { randomBytes } from "node:crypto"
import { type FileHandle, open, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { fileError } from "@sessile/convert"
import { UsageError } from "../exit-code.js"
import { lookAt } from "../stores/findings.js"
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
    const findings = await lookAt(path)
    if (findings?.names !== undefined)
      throw new UsageError(`--report needs the path of a file, and this is a folder (${path})`)
    try {
      return new ReportFile(path, temporary, await open(temporary, "wx", 0o600))
    } catch (error) {
      throw fileError("write the report", path, error)
    }
  }

  async write(pieces: Iterable<string>): Promise<void> {
    try {
      for (const piece of pieces) await this.#file.writeFile(escapeControls(piece))
      await this.#file.sync()
      await this.#close()
      await rename(this.#temporary, this.#path)
    } catch (error) {
      throw fileError("write the report", this.#path, error)
    }
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

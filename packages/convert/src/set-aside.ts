import { createHash, hash } from "node:crypto"
import { createReadStream } from "node:fs"
import { chmod, copyFile, link, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { decodeKey } from "@sessile/core/storage"
import type { FaultyRecord, SoundRecord } from "./read-record.js"

/**
 * A folder that keeps the raw bytes of what a conversion could not bring over, or replaced: one file for each
 * record, named by its key and the hash of its bytes, so that running again adds nothing.
 */
export class SetAsideFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Keeps the bytes of a record, and gives their place; `undefined` when there are none to be had. */
  async keep(record: SoundRecord | FaultyRecord): Promise<string | undefined> {
    if (record.text !== undefined) return this.#keepText(record.key, record.text)
    return "file" in record && record.file !== undefined ? this.#keepFile(record.key, record.file) : undefined
  }

  async #keepText(key: string, text: string): Promise<string> {
    return this.#place(key, hash("sha256", text), (path) => writeFile(path, text, { mode: 0o600 }))
  }

  // Too large for memory, or no text: the file itself is copied.
  async #keepFile(key: string, file: string): Promise<string | undefined> {
    try {
      const digest = createHash("sha256")
      for await (const chunk of createReadStream(file)) digest.update(chunk)
      return await this.#place(key, digest.digest("hex"), async (path) => {
        await copyFile(file, path)
        await chmod(path, 0o600)
      })
    } catch (error) {
      if (isUnreadable(error)) return undefined
      throw error
    }
  }

  async #place(key: string, digest: string, write: (path: string) => Promise<void>): Promise<string> {
    const path = `${join(this.path, ...decodeKey(key).map(fileName))}.${digest.slice(0, 12)}`
    const folder = dirname(path)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await readdir(folder)).includes(basename(path))) return path
    // A link appears whole or not at all, also when the process is killed.
    const temporary = await mkdtemp(join(this.path, ".temporary-"))
    try {
      await write(join(temporary, "bytes"))
      await link(join(temporary, "bytes"), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    } finally {
      await rm(temporary, { recursive: true })
    }
    return path
  }
}

function fileName(segment: string): string {
  const name = encodeURIComponent(segment).replace(/^\./, "%2E").replaceAll("*", "%2A").slice(0, 200)
  return name === "" ? "%" : name
}

function isUnreadable(error: unknown): boolean {
  return ["EACCES", "EPERM", "ENOENT", "EISDIR", "ELOOP", "EIO"].includes(
    (error as NodeJS.ErrnoException).code ?? "",
  )
}

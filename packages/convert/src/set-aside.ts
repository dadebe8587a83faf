import { createHash, hash } from "node:crypto"
import { createReadStream } from "node:fs"
import { chmod, copyFile, link, mkdir, mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { decodeKey } from "@sessile/core/storage"
import { fileError } from "./file-error.js"
import type { FaultyRecord, SoundRecord } from "./read-record.js"

/**
 * A folder that keeps the raw bytes of what a conversion could not bring over, or replaced: one file for each
 * record, named by its key and the hash of its bytes, so that running again adds nothing.
 */
export class SetAsideFolder {
  readonly path: string
  /** The lowest folder that was there before. */
  #top: string

  constructor(path: string) {
    this.path = path
    this.#top = dirname(path)
  }

  /** Keeps the bytes of a record, and gives their place; `undefined` when there are none to be had. */
  async keep(record: SoundRecord | FaultyRecord): Promise<string | undefined> {
    if (record.text !== undefined) return this.#keepText(record.key, record.text)
    return "file" in record && record.file !== undefined ? this.#keepFile(record.key, record.file) : undefined
  }

  /**
   * The same for a record that is about to be replaced. Resolves when its bytes and the names that lead to them would survive
   * the death of the machine: until then the target holds the only copy.
   */
  async keepSafely(record: SoundRecord | FaultyRecord): Promise<string | undefined> {
    const path = await this.keep(record)
    if (path === undefined) return undefined
    await sync(path)
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      await syncFolder(folder)
      if (folder === this.#top || folder === dirname(folder)) return path
    }
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
    try {
      await this.#write(path, write)
      return path
    } catch (error) {
      throw fileError("keep what is set aside", path, error)
    }
  }

  async #write(path: string, write: (path: string) => Promise<void>): Promise<void> {
    const folder = dirname(path)
    const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (firstMade !== undefined && this.path.startsWith(firstMade)) this.#top = dirname(firstMade)
    if ((await readdir(folder)).includes(basename(path))) return
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
  }
}

async function sync(path: string): Promise<void> {
  // Windows syncs only what is open for writing.
  await using file = await open(path, process.platform === "win32" ? "r+" : "r")
  await file.sync()
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no way to sync a folder, and writes names with their files.
  if (process.platform !== "win32") await sync(path)
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

import { type FileHandle, open } from "node:fs/promises"

const WINDOW_BYTES = 1024 * 1024

/** Reads a file from front to back in large portions, whatever the size of what is asked for. */
export class FileWindow implements AsyncDisposable {
  readonly size: number
  readonly #file: FileHandle
  readonly #bytes: Buffer
  #start = 0
  #end = 0

  private constructor(file: FileHandle, size: number) {
    this.#file = file
    this.size = size
    this.#bytes = Buffer.allocUnsafe(Math.min(size, WINDOW_BYTES))
  }

  static async open(path: string): Promise<FileWindow> {
    const file = await open(path, "r")
    try {
      return new FileWindow(file, (await file.stat()).size)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * Up to `length` bytes from an offset on; fewer where the window or the file ends, none only at the end of the
   * file. Valid until the next call.
   */
  async some(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.#bytes.length, this.size - offset)
    if (wanted <= 0) return this.#bytes.subarray(0, 0)
    if (offset < this.#start || offset + wanted > this.#end) await this.#move(offset)
    return this.#bytes.subarray(offset - this.#start, Math.min(offset + wanted, this.#end) - this.#start)
  }

  /** All of `length` bytes, or as many as the file has, in memory of their own. */
  async all(offset: number, length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let position = offset; position < offset + length; ) {
      const part = await this.some(position, offset + length - position)
      if (part.length === 0) break
      parts.push(Buffer.from(part))
      position += part.length
    }
    return Buffer.concat(parts)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close()
  }

  async #move(offset: number): Promise<void> {
    this.#start = offset
    this.#end = offset
    while (this.#end - offset < this.#bytes.length) {
      const filled = this.#end - offset
      const { bytesRead } = await this.#file.read(this.#bytes, filled, this.#bytes.length - filled, this.#end)
      if (bytesRead === 0) return
      this.#end += bytesRead
    }
  }
}

/** No buffer is smaller, so that nearly all are as good as any other. */
const SMALLEST = 1024 * 1024

/** Larger ones are not kept: they were for a record that is one of its kind. */
const LARGEST = 8 * SMALLEST

/** Buffers that go back and forth between threads, so that nobody has to make and clear new ones all the time. */
export class BufferPool {
  readonly #free: ArrayBuffer[] = []

  /** A buffer of at least so many bytes, with anything in it. */
  take(bytes: number): ArrayBuffer {
    const position = this.#free.findIndex(({ byteLength }) => byteLength >= bytes)
    if (position === -1) return new ArrayBuffer(Math.max(bytes, SMALLEST))
    return this.#free.splice(position, 1)[0] as ArrayBuffer
  }

  giveBack(buffer: ArrayBuffer): void {
    if (buffer.byteLength <= LARGEST) this.#free.push(buffer)
  }
}

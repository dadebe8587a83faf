/** No buffer is smaller, so that nearly all are as good as any other. */
const SMALLEST = 1024 * 1024

/** Larger ones are not kept: they were for a record that is one of its kind. */
const LARGEST = 8 * SMALLEST

/**
 * Buffers that two threads share: one fills them, the other gives them back. Handing over memory for good would have
 * both of them clear, detach and collect it all the time.
 */
export class BufferPool {
  readonly #free: SharedArrayBuffer[] = []

  /** A buffer of at least so many bytes, with anything in it. */
  take(bytes: number): SharedArrayBuffer {
    const position = this.#free.findIndex(({ byteLength }) => byteLength >= bytes)
    if (position !== -1) return this.#free.splice(position, 1)[0] as SharedArrayBuffer
    // In place of one that is too small, so that there are never more than are under way.
    this.#free.pop()
    return new SharedArrayBuffer(Math.max(bytes, SMALLEST))
  }

  giveBack(buffer: SharedArrayBuffer): void {
    if (buffer.byteLength <= LARGEST) this.#free.push(buffer)
  }
}

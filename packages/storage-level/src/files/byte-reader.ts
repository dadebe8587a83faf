import { Damage } from "./damage.js"

/** Reads the numbers and strings of LevelDB's formats one after the other. */
export class ByteReader {
  readonly #bytes: Buffer
  #offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length
  }

  get offset(): number {
    return this.#offset
  }

  /** @throws Damage at the end of the bytes, and for numbers that no file of LevelDB can hold */
  varint(): number {
    let value = 0
    for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= 128) {
      const byte = this.bytes(1).readUInt8()
      value += (byte & 127) * factor
      if (byte < 128 && Number.isSafeInteger(value)) return value
      if (byte < 128) break
    }
    throw new Damage("a number is out of range")
  }

  /** @throws Damage where there are not so many */
  bytes(length: number): Buffer {
    const end = this.#offset + length
    if (end > this.#bytes.length) throw new Damage("a field is longer than what holds it")
    const bytes = this.#bytes.subarray(this.#offset, end)
    this.#offset = end
    return bytes
  }

  prefixedBytes(): Buffer {
    return this.bytes(this.varint())
  }
}

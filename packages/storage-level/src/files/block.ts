import { ByteReader } from "./byte-reader.js"
import { Damage } from "./damage.js"
import { uncompress } from "./snappy.js"

/** Where a block lies in its table, without its trailer. */
export interface BlockHandle {
  readonly offset: number
  readonly size: number
}

/** After each block: the type of its compression, and a checksum over the block and that type. */
export const TRAILER_BYTES = 5

const UNCOMPRESSED = 0
const SNAPPY = 1

/** @throws Damage for a kind of compression that LevelDB does not know */
export function contentOf(block: Buffer, compression: number): Buffer {
  if (compression === UNCOMPRESSED) return block
  if (compression === SNAPPY) return uncompress(block)
  throw new Damage("a block has an unknown compression")
}

/** The entries of a block, in order. @throws Damage for bytes that are no block */
export function* entriesOf(content: Buffer): Generator<readonly [key: Buffer, value: Buffer], void, void> {
  // Keys are given by what differs from the key before; at the restarts they are complete.
  const restarts = content.length < 4 ? Number.NaN : content.readUInt32LE(content.length - 4)
  const end = content.length - 4 * (1 + restarts)
  if (!(end >= 0)) throw new Damage("a block has no valid end")
  const reader = new ByteReader(content.subarray(0, end))
  let key: Buffer = Buffer.alloc(0)
  while (!reader.isAtEnd) {
    const [shared, rest, value] = [reader.varint(), reader.varint(), reader.varint()]
    if (shared > key.length) throw new Damage("a block has an invalid key")
    key = Buffer.concat([key.subarray(0, shared), reader.bytes(rest)])
    yield [key, reader.bytes(value)]
  }
}

export function parseHandle(reader: ByteReader): BlockHandle {
  return { offset: reader.varint(), size: reader.varint() }
}

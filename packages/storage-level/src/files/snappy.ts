import { ByteReader } from "./byte-reader.js"
import { Damage } from "./damage.js"

/** No element of the format stands for more than 64 bytes, and none is shorter than 2. */
const MOST_PER_BYTE = 32

/**
 * Decompresses a block of LevelDB.
 *
 * @throws Damage for bytes that are not in the format
 */
export function uncompress(compressed: Buffer): Buffer {
  const reader = new ByteReader(compressed)
  const length = reader.varint()
  if (length > compressed.length * MOST_PER_BYTE) throw new Damage("a compressed block has a wrong size")
  const output = Buffer.allocUnsafe(length)
  let filled = 0
  while (!reader.isAtEnd) {
    const tag = reader.bytes(1).readUInt8()
    const kind = tag & 3
    const size = kind === 0 ? literalSize(tag >> 2, reader) : copySize(tag, kind)
    if (filled + size > length) throw new Damage("a compressed block has a wrong size")
    if (kind === 0) reader.bytes(size).copy(output, filled)
    else copyWithin(output, filled, copyDistance(tag, kind, reader), size)
    filled += size
  }
  if (filled !== length) throw new Damage("a compressed block has a wrong size")
  return output
}

function literalSize(code: number, reader: ByteReader): number {
  return (code < 60 ? code : reader.bytes(code - 59).readUIntLE(0, code - 59)) + 1
}

function copySize(tag: number, kind: number): number {
  return kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
}

function copyDistance(tag: number, kind: number, reader: ByteReader): number {
  if (kind === 1) return ((tag >> 5) << 8) | reader.bytes(1).readUInt8()
  return kind === 2 ? reader.bytes(2).readUInt16LE() : reader.bytes(4).readUInt32LE()
}

function copyWithin(output: Buffer, filled: number, distance: number, size: number): void {
  if (distance === 0 || distance > filled)
    throw new Damage("a compressed block refers to bytes outside of it")
  // Byte by byte: a copy may overlap what it produces.
  for (let index = filled; index < filled + size; index++) output[index] = output[index - distance] as number
}

/** The polynomial of CRC-32C, bits reversed. `zlib` has only that of CRC-32. */
const POLYNOMIAL = 0x82f63b78

// Slicing by 8: table n holds what a byte contributes that is followed by n more. Reads a gigabyte per second.
const table = new Int32Array(8 * 256)
for (let byte = 0; byte < 256; byte++) {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  table[byte] = value
}
for (let position = 256; position < table.length; position++) {
  const previous = at(position - 256)
  table[position] = (previous >>> 8) ^ at(previous & 255)
}

/** The CRC-32C of `bytes` from `start` to `end`, continuing that of the bytes before them. */
export function crc32c(bytes: Uint8Array, start: number, end: number, before = 0): number {
  let crc = ~before
  let offset = start
  for (; end - offset >= 8; offset += 8) {
    const word =
      crc ^
      (byteAt(bytes, offset) |
        (byteAt(bytes, offset + 1) << 8) |
        (byteAt(bytes, offset + 2) << 16) |
        (byteAt(bytes, offset + 3) << 24))
    crc =
      at(1792 + (word & 255)) ^
      at(1536 + ((word >>> 8) & 255)) ^
      at(1280 + ((word >>> 16) & 255)) ^
      at(1024 + (word >>> 24)) ^
      at(768 + byteAt(bytes, offset + 4)) ^
      at(512 + byteAt(bytes, offset + 5)) ^
      at(256 + byteAt(bytes, offset + 6)) ^
      at(byteAt(bytes, offset + 7))
  }
  for (; offset < end; offset++) crc = (crc >>> 8) ^ at((crc ^ byteAt(bytes, offset)) & 255)
  return ~crc >>> 0
}

/** A checksum as LevelDB stores it: rotated and offset, because the CRC of data that holds its own CRC is weak. */
export function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

function at(position: number): number {
  return table[position] as number
}

function byteAt(bytes: Uint8Array, offset: number): number {
  return bytes[offset] as number
}

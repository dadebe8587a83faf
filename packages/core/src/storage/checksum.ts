import { crc32 } from "node:zlib"

/**
 * The CRC-32 of a record, over its encoded key and its JSON text: it notices an altered value, and a value that is
 * found under another key. For adapters that declare `checksums`.
 */
export function checksum(encodedKey: string, text: string | Uint8Array): number {
  return crc32(text, crc32(encodedKey))
}

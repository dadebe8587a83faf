import { type BlockHandle, TRAILER_BYTES } from "../files/block.js"
import { crc32c, masked } from "../files/crc32c.js"
import { Damage } from "../files/damage.js"
import { FileWindow } from "../files/file-window.js"
import { readBlock, readLayout } from "../files/table.js"
import type { Salvaged } from "./salvaged.js"

/** What precedes the name of a filter in the block after the last one that holds entries. */
const META = "filter."

/** The entries of a table that are still readable. */
export async function* salvageTable(path: string): AsyncGenerator<Salvaged, void, void> {
  await using file = await FileWindow.open(path)
  const blocks = await findBlocks(file)
  let damaged = 0
  for (const handle of blocks.handles) {
    try {
      for (const [key, value] of await readBlock(file, handle)) {
        if (key.length >= 8) yield toEntry(key, value)
      }
    } catch (error) {
      if (!(error instanceof Damage)) throw error
      damaged++
    }
  }
  if (damaged > 0) yield { type: "lost", what: `${damaged} of ${blocks.handles.length} blocks are damaged` }
  if (blocks.rest > 0) yield { type: "lost", what: `${blocks.rest} bytes at the end are damaged` }
}

/** An internal key ends with a sequence number, and whether it stands for a value. */
function toEntry(key: Buffer, value: Buffer): Salvaged {
  const end = key.length - 8
  const sequence = Number(key.readBigUInt64LE(end) >> 8n)
  return { type: "entry", key: key.subarray(0, end), sequence, value: key[end] === 1 ? value : undefined }
}

async function findBlocks(file: FileWindow): Promise<{ handles: readonly BlockHandle[]; rest: number }> {
  try {
    return { handles: (await readLayout(file)).data, rest: 0 }
  } catch (error) {
    if (!(error instanceof Damage)) throw error
    return findByChecksum(await file.all(0, file.size))
  }
}

/** The blocks with entries of a table that does not say where they are: each ends where its checksum is right. */
function findByChecksum(bytes: Buffer): { handles: readonly BlockHandle[]; rest: number } {
  const handles: BlockHandle[] = []
  let start = 0
  let crc = 0
  for (let end = 0; end + TRAILER_BYTES <= bytes.length; end++) {
    crc = crc32c(bytes, end, end + 1, crc)
    if ((bytes[end] as number) > 1 || masked(crc) !== bytes.readUInt32LE(end + 1)) continue
    // What follows says where entries are, and looks like them.
    if (bytes.subarray(start, end).includes(META)) return { handles, rest: 0 }
    handles.push({ offset: start, size: end - start })
    start = end + TRAILER_BYTES
    end = start - 1
    crc = 0
  }
  return { handles, rest: bytes.length - start }
}

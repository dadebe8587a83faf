import { type BlockHandle, contentOf, entriesOf, parseHandle, TRAILER_BYTES } from "./block.js"
import { ByteReader } from "./byte-reader.js"
import { crc32c, masked } from "./crc32c.js"
import { Damage } from "./damage.js"
import { FileWindow } from "./file-window.js"

const FOOTER_BYTES = 48
const MAGIC = 0xdb4775248b80fb57n

/**
 * Checks every block of a table. LevelDB verifies none when it reads: damage would be a wrong value, a record that
 * is not found, or the end of the process.
 *
 * @throws Damage unless the file is as it was written
 */
export async function checkTable(path: string): Promise<void> {
  await using file = await FileWindow.open(path)
  const { data, others } = await readLayout(file)
  for (const handle of [...data, ...others]) {
    if (!(await isIntact(file, handle))) throw new Damage("the checksum of a block is wrong")
  }
}

/** Where the blocks of a table are. */
export interface TableLayout {
  /** The blocks with entries. */
  readonly data: readonly BlockHandle[]
  /** The blocks that say where entries are. */
  readonly others: readonly BlockHandle[]
}

/** @throws Damage unless the blocks fill the file without a gap */
export async function readLayout(file: FileWindow): Promise<TableLayout> {
  const footer = await file.all(file.size - FOOTER_BYTES, FOOTER_BYTES)
  if (footer.length !== FOOTER_BYTES || footer.readBigUInt64LE(FOOTER_BYTES - 8) !== MAGIC) {
    throw new Damage("the end of a table is missing")
  }
  const reader = new ByteReader(footer)
  const [meta, index] = [parseHandle(reader), parseHandle(reader)]
  const data = await handlesIn(file, index)
  const others = [...(await handlesIn(file, meta)), meta, index]
  let end = 0
  for (const { offset, size } of [...data, ...others]) {
    if (offset !== end) throw new Damage("the blocks of a table do not fit together")
    end += size + TRAILER_BYTES
  }
  if (end !== file.size - FOOTER_BYTES) throw new Damage("the blocks of a table do not fit together")
  return { data, others }
}

/** The entries of one block. @throws Damage unless it is intact */
export async function readBlock(
  file: FileWindow,
  { offset, size }: BlockHandle,
): Promise<Iterable<readonly [key: Buffer, value: Buffer]>> {
  if (!(await isIntact(file, { offset, size }))) throw new Damage("the checksum of a block is wrong")
  const block = await file.all(offset, size + 1)
  return entriesOf(contentOf(block.subarray(0, size), block.readUInt8(size)))
}

async function handlesIn(file: FileWindow, block: BlockHandle): Promise<BlockHandle[]> {
  return [...(await readBlock(file, block))].map(([, value]) => parseHandle(new ByteReader(value)))
}

async function isIntact(file: FileWindow, { offset, size }: BlockHandle): Promise<boolean> {
  const end = offset + size + 1
  if (end + 4 > file.size - FOOTER_BYTES) return false
  let crc = 0
  for (let position = offset; position < end; ) {
    const part = await file.some(position, end - position)
    if (part.length === 0) return false
    crc = crc32c(part, 0, part.length, crc)
    position += part.length
  }
  const stored = await file.all(end, 4)
  return stored.length === 4 && masked(crc) === stored.readUInt32LE()
}

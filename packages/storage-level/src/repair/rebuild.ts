import { mkdir } from "node:fs/promises"
import { type Database, openDatabase } from "../database.js"
import { noteClosing } from "../files/closing-note.js"
import { INDEX, MARKER, RECORD } from "../layout.js"
import { PrivateFiles } from "../private-files.js"
import { writeMarker } from "../store-marker.js"
import { salvage } from "./salvage-store.js"

/** How much is written in one batch. */
const BATCH_BYTES = 1024 * 1024

/** What a damaged store still holds. */
export interface Inventory {
  /** The highest sequence number of each key, with the bytes of the key as characters. */
  readonly newest: Map<string, number>
  /** What cannot be read, in words. */
  readonly losses: readonly string[]
  /** Whether all keys are such as a store has. */
  readonly isOurs: boolean
  /** What the store says of itself. */
  readonly marker: string | undefined
}

export async function takeInventory(folder: string, names: readonly string[]): Promise<Inventory> {
  const newest = new Map<string, number>()
  const losses: string[] = []
  let isOurs = true
  let marker: string | undefined
  for await (const item of salvage(folder, names)) {
    if (item.type === "lost") {
      losses.push(item.what)
      continue
    }
    const key = item.key.toString("latin1")
    isOurs &&= key.startsWith(RECORD) || key.startsWith(INDEX) || key === MARKER
    if (item.sequence <= (newest.get(key) ?? -1)) continue
    newest.set(key, item.sequence)
    if (key === MARKER) marker = item.value?.toString()
  }
  return { newest, losses, isOurs, marker }
}

/** Makes a store in a new folder of the records that count, without indexes, and returns how many there are. */
export async function rebuild(
  source: string,
  names: readonly string[],
  { newest }: Inventory,
  target: string,
): Promise<number> {
  await mkdir(target, { mode: 0o700 })
  const database = await openDatabase(target)
  let records = 0
  try {
    const writer = new BatchWriter(database)
    for await (const item of salvage(source, names)) {
      if (item.type === "lost" || item.value === undefined) continue
      const key = item.key.toString("latin1")
      if (newest.get(key) !== item.sequence || !key.startsWith(RECORD)) continue
      // Two tables hold the same entry where one was about to replace the other.
      newest.delete(key)
      await writer.put(item.key, item.value)
      records++
    }
    await writer.flush()
    await writeMarker(database, null)
  } finally {
    await database.close()
  }
  await new PrivateFiles(target).restrict()
  await noteClosing(target)
  return records
}

class BatchWriter {
  readonly #database: Database
  #batch: { type: "put"; key: Buffer; value: Buffer }[] = []
  #size = 0

  constructor(database: Database) {
    this.#database = database
  }

  async put(key: Buffer, value: Buffer): Promise<void> {
    this.#batch.push({ type: "put", key, value })
    this.#size += key.length + value.length
    if (this.#size > BATCH_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    const binary = { keyEncoding: "buffer", valueEncoding: "buffer" } as const
    await this.#database.batch<Buffer, Buffer>(this.#batch, binary)
    this.#batch = []
    this.#size = 0
  }
}

import {
  beginningOf,
  decodeKey,
  type FittedRecord,
  LineMaker,
  NOWHERE,
  SessionLines,
  Shelf,
  type TextEntry,
  type TextRecord,
} from "@sessile/core/storage"
import type { OpencodeStorage } from "../opencode-storage.js"

/** Messages and parts of one session as lines, messages first; `undefined` when one of them has none. */
export function linesOf(records: readonly TextRecord[]): SessionLines | undefined {
  const sessionID = records.map(sessionOf).find((id) => id !== undefined)
  if (sessionID === undefined) return undefined
  const shelf = new Shelf()
  const piece = shelf.roomFor(1024 * 1024)
  const lines = { ids: [] as string[], owners: [] as string[], places: [] as number[] }
  for (const { key, text } of records) {
    const [kind, owner = "", id = "", ...below] = decodeKey(key)
    if ((kind !== "message" && kind !== "part") || below.length > 0) return undefined
    const start = shelf.offset
    const length = new LineMaker(kind, owner, sessionID).put(id, Buffer.from(text), shelf)
    if (length === NOWHERE) return undefined
    lines.ids.push(id)
    lines.owners.push(owner)
    lines.places.push(0, start, length)
  }
  const messages = records.filter(({ key }) => key.startsWith("message")).length
  const ownerNumbers = Uint32Array.from(records.keys())
  return new SessionLines(
    { ...lines, sessionID, messages, ownerNumbers, places: Uint32Array.from(lines.places) },
    [piece],
  )
}

function sessionOf({ text }: TextRecord): string | undefined {
  return beginningOf(Buffer.from(text))?.sessionID
}

/** What a store says of a record as a conversion hands it over. */
export function fit(storage: OpencodeStorage, record: TextRecord): FittedRecord {
  const lines = linesOf([record])
  const asItIs = { text: record.text, lost: [] }
  if (lines !== undefined && !storage.fitLines(lines).has(0)) return asItIs
  return storage.fit(record) ?? asItIs
}

/** Adds records as a conversion does; gives what is in the way of each. */
export async function add(
  storage: OpencodeStorage,
  ...records: readonly TextRecord[]
): Promise<readonly (TextEntry | undefined)[]> {
  const asLines = records.filter((record) => linesOf([record]) !== undefined)
  const lines = linesOf(asLines)
  if (lines === undefined) return storage.addTexts(records)
  const others = records.filter((record) => !asLines.includes(record))
  const unfit = storage.fitLines(lines)
  const present = await storage.addSession(others, lines, unfit)
  return records.map((record) =>
    asLines.includes(record)
      ? present.lines.get(asLines.indexOf(record))
      : present.records[others.indexOf(record)],
  )
}

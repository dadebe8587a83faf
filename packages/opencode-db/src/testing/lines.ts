import {
  decodeKey,
  type FittedRecord,
  lineOf,
  PLACE,
  SessionLines,
  Shelf,
  type TextEntry,
  type TextRecord,
} from "@sessile/core/storage"
import type { OpencodeStorage } from "../opencode-storage.js"

/** Messages and parts of one session as lines, messages first; `undefined` when one of them has none. */
export function linesOf(records: readonly TextRecord[]): SessionLines | undefined {
  const found = records.map(({ key, text }) => lineOf(decodeKey(key), Buffer.from(text), new Shelf()))
  const lines = found.filter((line) => line !== undefined)
  const [first] = lines
  if (first === undefined || lines.length < records.length) return undefined
  const places = lines.flatMap(({ utf8 }, piece) => [piece, 0, utf8.length])
  const keys = records.map(({ key }) => key)
  return new SessionLines(
    {
      sessionID: first.sessionID,
      keys,
      messages: keys.filter((key) => key.startsWith("message")).length,
      types: Uint32Array.from(lines.keys()),
      words: lines.map(({ type }) => type),
      places: Uint32Array.from(places.slice(0, PLACE * lines.length)),
    },
    lines.map(({ utf8 }) => utf8),
  )
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

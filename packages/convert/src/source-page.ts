import { Utf8Record } from "@sessile/core/storage"
import type { RecordFacts } from "./examine.js"
import { contentAt, type LinesFound, ReadLines } from "./read-lines.js"
import type { ReadPage } from "./read-page.js"
import { type FaultyRecord, hasUtf8, isSound, measure, type ReadRecord, SoundRecord } from "./read-record.js"
import type { SharedShelf } from "./shared-shelf.js"

const HASH_LENGTH = 64

/** Records in a form that threads hand over without copying them: their texts are in pieces of memory that they share. */
export interface SourcePage {
  readonly keys: readonly string[]
  /** Where each of the texts is, in UTF-8. */
  readonly places: Uint32Array
  /** What was found in the records, unless that is left to whoever gets the page. */
  readonly findings?: Findings | undefined
  /** The damaged records, which are not among those above, and how many of those come before each. */
  readonly faulty: readonly (readonly [position: number, record: FaultyRecord])[]
  /** More records. */
  readonly lines?: LinesFound | undefined
}

interface Findings {
  /** The hashes of the texts, one behind the other. */
  readonly hashes: string
  /** When each record was created and updated; NaN where it does not tell. */
  readonly times: Float64Array
  /** The few that have more to tell, by their position. */
  readonly facts: readonly (readonly [position: number, facts: RecordFacts])[]
}

/** Packs records, all of them measured or none, whose texts are on a shelf from then on. */
export function packPage(
  records: readonly (Utf8Record | FaultyRecord)[],
  shelf: SharedShelf,
  lines?: LinesFound,
): SourcePage {
  const keys: string[] = []
  const places: number[] = []
  const faulty: [number, FaultyRecord][] = []
  for (const record of records) {
    if (hasUtf8(record)) {
      shelf.locate(record.utf8, places)
      keys.push(record.key)
    } else faulty.push([keys.length, record])
  }
  const sound = records.filter(isSound)
  const findings = sound.length === keys.length ? findingsOf(sound) : undefined
  return { keys, places: new Uint32Array(places), findings, faulty, lines }
}

/** The records of a page, whose texts are in these pieces. */
export function unpackPage(page: SourcePage, pieces: readonly Buffer[]): ReadPage {
  const { keys, places, findings, faulty, lines } = page
  const facts = new Map(findings?.facts)
  const records: ReadRecord[] = keys.map((key, index) => {
    const utf8 = contentAt(places, index, pieces)
    if (findings === undefined) return measure(new Utf8Record(key, utf8))
    const sha256 = findings.hashes.slice(HASH_LENGTH * index, HASH_LENGTH * (index + 1))
    return new SoundRecord(key, utf8, sha256, facts.get(index) ?? timesOf(findings.times, index))
  })
  // From the back, so that earlier positions stay right.
  for (const [position, record] of faulty.toReversed()) records.splice(position, 0, record)
  return { records, lines: lines && new ReadLines(lines, pieces) }
}

/** A page whose lines have been measured. */
export function withMeasures(page: SourcePage, pieces: readonly Buffer[]): SourcePage {
  const { lines } = page
  if (lines === undefined) return page
  return { ...page, lines: { ...lines, measures: new ReadLines(lines, pieces).measure() } }
}

function findingsOf(records: readonly SoundRecord[]): Findings {
  const times = new Float64Array(2 * records.length).fill(Number.NaN)
  const told: [number, RecordFacts][] = []
  for (const [index, { facts }] of records.entries()) {
    if (facts === undefined) continue
    times[2 * index] = facts.created ?? Number.NaN
    times[2 * index + 1] = facts.updated ?? Number.NaN
    if (tellsMore(facts)) told.push([index, facts])
  }
  return { hashes: records.map(({ sha256 }) => sha256).join(""), times, facts: told }
}

function tellsMore({ parent, remarks }: RecordFacts): boolean {
  return parent !== undefined || remarks !== undefined
}

function timesOf(times: Float64Array, index: number): RecordFacts | undefined {
  const created = times[2 * index] as number
  const updated = times[2 * index + 1] as number
  if (Number.isNaN(created) && Number.isNaN(updated)) return undefined
  return {
    ...(Number.isNaN(created) ? {} : { created }),
    ...(Number.isNaN(updated) ? {} : { updated }),
  }
}

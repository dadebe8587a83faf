import { Utf8Record } from "@sessile/core/storage"
import type { RecordFacts } from "./examine.js"
import { type FaultyRecord, hasUtf8, isSound, measure, type ReadRecord, SoundRecord } from "./read-record.js"
import type { SharedShelf } from "./shared-shelf.js"

/** Records in a form that threads hand over without copying them. */
export interface SourcePage {
  readonly keys: readonly string[]
  /** The memory that the texts are in, in UTF-8. */
  readonly pieces: readonly SharedArrayBuffer[]
  /** For each text the piece that it is in, where it begins there, and how many bytes it takes. */
  readonly places: Uint32Array
  /** What was found in the records, unless that is left to whoever gets the page. */
  readonly findings?: Findings | undefined
  /** The damaged records, which are not among those above, and how many of those come before each. */
  readonly faulty: readonly (readonly [position: number, record: FaultyRecord])[]
}

interface Findings {
  /** The hashes of the texts, one behind the other. */
  readonly hashes: string
  /** When each record was created and updated; NaN where it does not tell. */
  readonly times: Float64Array
  /** Whether each record is indented; 0 where nobody has looked. */
  readonly layouts: Uint8Array
  /** The few that have more to tell, by their position. */
  readonly facts: readonly (readonly [position: number, facts: RecordFacts])[]
}

const HASH_LENGTH = 64

/** What the numbers for layouts stand for. */
const LAYOUTS = [undefined, false, true] as const

/** So many numbers tell the place of a text. */
const PLACE = 3

/** Packs records, all of them measured or none, with all that is on a shelf. */
export function packPage(records: readonly (Utf8Record | FaultyRecord)[], shelf: SharedShelf): SourcePage {
  const keys: string[] = []
  const places = new Uint32Array(PLACE * records.length)
  const faulty: [number, FaultyRecord][] = []
  for (const record of records) {
    if (hasUtf8(record)) {
      places.set(shelf.locate(record.utf8), PLACE * keys.length)
      keys.push(record.key)
    } else faulty.push([keys.length, record])
  }
  const sound = records.filter(isSound)
  const findings = sound.length === keys.length ? findingsOf(sound) : undefined
  return { keys, pieces: shelf.turn(), places, findings, faulty }
}

/** The records of a page, whose texts are there as long as its pieces have not gone back. */
export function unpackPage(
  { keys, pieces, places, findings, faulty }: SourcePage,
  wantsLayout: boolean,
): ReadRecord[] {
  const buffers = pieces.map((piece) => Buffer.from(piece))
  const facts = new Map(findings?.facts)
  const records: ReadRecord[] = keys.map((key, index) => {
    const start = places[PLACE * index + 1] as number
    const end = start + (places[PLACE * index + 2] as number)
    const utf8 = (buffers[places[PLACE * index] as number] as Buffer).subarray(start, end)
    if (findings === undefined) return measure(new Utf8Record(key, utf8), wantsLayout)
    const sha256 = findings.hashes.slice(HASH_LENGTH * index, HASH_LENGTH * (index + 1))
    const isIndented = LAYOUTS[findings.layouts[index] as number]
    return new SoundRecord(key, utf8, sha256, facts.get(index) ?? timesOf(findings.times, index), isIndented)
  })
  // From the back, so that earlier positions stay right.
  for (const [position, record] of faulty.toReversed()) records.splice(position, 0, record)
  return records
}

function findingsOf(records: readonly SoundRecord[]): Findings {
  const times = new Float64Array(2 * records.length)
  const layouts = new Uint8Array(records.length)
  for (const [index, { facts, isIndented }] of records.entries()) {
    layouts[index] = LAYOUTS.indexOf(isIndented)
    times[2 * index] = facts?.created ?? Number.NaN
    times[2 * index + 1] = facts?.updated ?? Number.NaN
  }
  return {
    hashes: records.map(({ sha256 }) => sha256).join(""),
    times,
    layouts,
    facts: records.flatMap(({ facts }, index) => (tellsMore(facts) ? [[index, facts] as const] : [])),
  }
}

function tellsMore(facts: RecordFacts | undefined): facts is RecordFacts {
  return facts?.parent !== undefined || facts?.remarks !== undefined
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

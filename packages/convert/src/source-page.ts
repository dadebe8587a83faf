import { decodeKey, type Key, RecordLine, Utf8Record } from "@sessile/core/storage"
import type { RecordFacts } from "./examine.js"
import { type FaultyRecord, hasUtf8, isSound, measure, type ReadRecord, SoundRecord } from "./read-record.js"
import { PLACE, type SharedShelf } from "./shared-shelf.js"

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
  /** The few that have more to tell, by their position. */
  readonly facts: readonly (readonly [position: number, facts: RecordFacts])[]
  readonly lines: Lines
}

/** The lines of records, which are in the same memory as the texts. */
interface Lines {
  /** Like those of texts; of no bytes where there is no line. */
  readonly places: Uint32Array
  /** For each record the words for the session and the type that its line tells. */
  readonly told: Uint32Array
  /** Sessions and types, each once; the first one stands for none. */
  readonly words: readonly (string | undefined)[]
}

const HASH_LENGTH = 64

/** Packs records, all of them measured or none, with all that is on a shelf. */
export function packPage(records: readonly (Utf8Record | FaultyRecord)[], shelf: SharedShelf): SourcePage {
  const keys: string[] = []
  const places = new Uint32Array(PLACE * records.length)
  const faulty: [number, FaultyRecord][] = []
  for (const record of records) {
    if (hasUtf8(record)) {
      shelf.locate(record.utf8, places, keys.length)
      keys.push(record.key)
    } else faulty.push([keys.length, record])
  }
  const sound = records.filter(isSound)
  const findings = sound.length === keys.length ? findingsOf(sound, shelf) : undefined
  return { keys, pieces: shelf.turn(), places, findings, faulty }
}

/** The records of a page, whose texts are there as long as its pieces have not gone back. */
export function unpackPage({ keys, pieces, places, findings, faulty }: SourcePage): ReadRecord[] {
  const buffers = pieces.map((piece) => Buffer.from(piece))
  const facts = new Map(findings?.facts)
  const records: ReadRecord[] = keys.map((key, index) => {
    const utf8 = contentAt(places, index, buffers)
    if (findings === undefined) return measure(new Utf8Record(key, utf8))
    const sha256 = findings.hashes.slice(HASH_LENGTH * index, HASH_LENGTH * (index + 1))
    const segments = decodeKey(key)
    const line = lineAt(findings.lines, index, segments, buffers)
    const told = line === undefined ? (facts.get(index) ?? timesOf(findings.times, index)) : undefined
    return new SoundRecord(key, utf8, sha256, told, line, segments)
  })
  // From the back, so that earlier positions stay right.
  for (const [position, record] of faulty.toReversed()) records.splice(position, 0, record)
  return records
}

function contentAt(places: Uint32Array, index: number, buffers: readonly Buffer[]): Buffer {
  const start = places[PLACE * index + 1] as number
  const end = start + (places[PLACE * index + 2] as number)
  return (buffers[places[PLACE * index] as number] as Buffer).subarray(start, end)
}

function lineAt(
  { places, told, words }: Lines,
  index: number,
  key: Key,
  buffers: readonly Buffer[],
): RecordLine | undefined {
  const sessionID = words[told[2 * index] as number]
  if (sessionID === undefined) return undefined
  const type = words[told[2 * index + 1] as number]
  return new RecordLine(key, contentAt(places, index, buffers), sessionID, type)
}

function findingsOf(records: readonly SoundRecord[], shelf: SharedShelf): Findings {
  const times = new Float64Array(2 * records.length).fill(Number.NaN)
  const told: [number, RecordFacts][] = []
  for (const [index, record] of records.entries()) {
    // A line is as much as anybody needs to know.
    const facts = record.line === undefined ? record.facts : undefined
    if (facts === undefined) continue
    times[2 * index] = facts.created ?? Number.NaN
    times[2 * index + 1] = facts.updated ?? Number.NaN
    if (tellsMore(facts)) told.push([index, facts])
  }
  const hashes = records.map(({ sha256 }) => sha256).join("")
  return { hashes, times, facts: told, lines: linesOf(records, shelf) }
}

function linesOf(records: readonly SoundRecord[], shelf: SharedShelf): Lines {
  const places = new Uint32Array(PLACE * records.length)
  const told = new Uint32Array(2 * records.length)
  const words = new Map<string | undefined, number>([[undefined, 0]])
  const numberOf = (word: string | undefined) => {
    const number = words.get(word) ?? words.size
    words.set(word, number)
    return number
  }
  for (const [index, { line }] of records.entries()) {
    if (line === undefined) continue
    shelf.locate(line.utf8, places, index)
    told[2 * index] = numberOf(line.sessionID)
    told[2 * index + 1] = numberOf(line.type)
  }
  return { places, told, words: [...words.keys()] }
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

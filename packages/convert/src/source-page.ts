import { Utf8Record } from "@sessile/core/storage"
import type { RecordFacts } from "./examine.js"
import { type FaultyRecord, hasUtf8, isSound, measure, type ReadRecord, SoundRecord } from "./read-record.js"

/** Records in a form that threads hand over without copying them. */
export interface SourcePage {
  /** Key and text of each record, one behind the other, in UTF-8. */
  readonly content: SharedArrayBuffer
  /** How many bytes each key and each text takes. */
  readonly lengths: Uint32Array
  /** What was found in the records, unless that is left to whoever gets the page. */
  readonly findings?: Findings | undefined
  /** The damaged records, which are not in the content, and how many of the others come before each. */
  readonly faulty: readonly (readonly [position: number, record: FaultyRecord])[]
}

interface Findings {
  /** The hashes of the texts, one behind the other. */
  readonly hashes: string
  /** When each record was created and updated; NaN where it does not tell. */
  readonly times: Float64Array
  /** The few that have more to tell, by their position. */
  readonly facts: readonly (readonly [position: number, facts: RecordFacts])[]
}

const HASH_LENGTH = 64

/** Packs records, all of them measured or none, into a buffer that `allocate` gives: one of at least so many bytes. */
export function packPage(
  records: readonly (Utf8Record | FaultyRecord)[],
  allocate: (bytes: number) => SharedArrayBuffer,
): SourcePage {
  const whole = records.filter(hasUtf8)
  const lengths = new Uint32Array(2 * whole.length)
  // No character takes more than three bytes for each of its UTF-16 units.
  const room = whole.reduce((sum, { key, utf8 }) => sum + 3 * key.length + utf8.length, 0)
  const shared = allocate(room)
  const content = Buffer.from(shared)
  let offset = 0
  for (const [index, { key, utf8 }] of whole.entries()) {
    const keyLength = content.write(key, offset)
    content.set(utf8, offset + keyLength)
    lengths[2 * index] = keyLength
    lengths[2 * index + 1] = utf8.length
    offset += keyLength + utf8.length
  }
  return {
    content: shared,
    lengths,
    findings: whole.every(isSound) ? findingsOf(whole) : undefined,
    faulty: positionsOfFaulty(records),
  }
}

/** The records of a page, whose texts are there as long as its content has not gone back. */
export function unpackPage({ content: packed, lengths, findings, faulty }: SourcePage): ReadRecord[] {
  const content = Buffer.from(packed)
  const facts = new Map(findings?.facts)
  const records: ReadRecord[] = []
  let offset = 0
  for (let index = 0; 2 * index < lengths.length; index++) {
    const start = offset + (lengths[2 * index] as number)
    const end = start + (lengths[2 * index + 1] as number)
    const key = content.toString("utf8", offset, start)
    const utf8 = content.subarray(start, end)
    offset = end
    if (findings === undefined) records.push(measure(new Utf8Record(key, utf8)))
    else {
      const sha256 = findings.hashes.slice(HASH_LENGTH * index, HASH_LENGTH * (index + 1))
      records.push(new SoundRecord(key, utf8, sha256, facts.get(index) ?? timesOf(findings.times, index)))
    }
  }
  // From the back, so that earlier positions stay right.
  for (const [position, record] of faulty.toReversed()) records.splice(position, 0, record)
  return records
}

function findingsOf(records: readonly SoundRecord[]): Findings {
  const times = new Float64Array(2 * records.length)
  for (const [index, { facts }] of records.entries()) {
    times[2 * index] = facts?.created ?? Number.NaN
    times[2 * index + 1] = facts?.updated ?? Number.NaN
  }
  return {
    hashes: records.map(({ sha256 }) => sha256).join(""),
    times,
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

function positionsOfFaulty(records: readonly (Utf8Record | FaultyRecord)[]): [number, FaultyRecord][] {
  const faulty: [number, FaultyRecord][] = []
  let position = 0
  for (const record of records) {
    if (hasUtf8(record)) position++
    else faulty.push([position, record])
  }
  return faulty
}

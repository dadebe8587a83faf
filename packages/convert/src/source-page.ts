import type { RecordFacts } from "./examine.js"
import { type FaultyRecord, isSound, type ReadRecord, SoundRecord } from "./read-record.js"

/** Records in a form that threads hand over without copying it. */
export interface SourcePage {
  /** Key and text of each sound record, one behind the other, in UTF-8. */
  readonly content: ArrayBuffer
  /** How many bytes each key and each text takes. */
  readonly lengths: Uint32Array
  /** When each record was created and updated; NaN where it does not tell. */
  readonly times: Float64Array
  /** The hashes of the texts, one behind the other. */
  readonly hashes: string
  /** The few that have more to tell, by their position among the sound ones. */
  readonly facts: readonly (readonly [position: number, facts: RecordFacts])[]
  /** The damaged ones, and how many sound ones come before each. */
  readonly faulty: readonly (readonly [position: number, record: FaultyRecord])[]
}

const HASH_LENGTH = 64

/** What of a page can change hands; it is gone here then. */
export function transferable({ content, lengths, times }: SourcePage): ArrayBuffer[] {
  return [content, lengths.buffer as ArrayBuffer, times.buffer as ArrayBuffer]
}

/** Packs records into a buffer that `allocate` gives: one of at least so many bytes. */
export function packPage(
  records: readonly ReadRecord[],
  allocate: (bytes: number) => ArrayBuffer,
): SourcePage {
  const sound = records.filter(isSound)
  const lengths = new Uint32Array(2 * sound.length)
  const times = new Float64Array(2 * sound.length)
  // No character takes more than three bytes for each of its UTF-16 units.
  const room = sound.reduce((sum, { key, bytes }) => sum + 3 * key.length + bytes, 0)
  const content = Buffer.from(allocate(room))
  let offset = 0
  for (const [index, { key, utf8, facts }] of sound.entries()) {
    const keyLength = content.write(key, offset)
    content.set(utf8, offset + keyLength)
    lengths[2 * index] = keyLength
    lengths[2 * index + 1] = utf8.length
    times[2 * index] = facts?.created ?? Number.NaN
    times[2 * index + 1] = facts?.updated ?? Number.NaN
    offset += keyLength + utf8.length
  }
  return {
    content: content.buffer as ArrayBuffer,
    lengths,
    times,
    hashes: sound.map(({ sha256 }) => sha256).join(""),
    facts: sound.flatMap(({ facts }, index) => (tellsMore(facts) ? [[index, facts] as const] : [])),
    faulty: positionsOfFaulty(records),
  }
}

/** The records of a page, whose texts are there as long as its content has not gone back. */
export function unpackPage(page: SourcePage): ReadRecord[] {
  const content = Buffer.from(page.content)
  const facts = new Map(page.facts)
  const records: ReadRecord[] = []
  let offset = 0
  for (let index = 0; 2 * index < page.lengths.length; index++) {
    const start = offset + (page.lengths[2 * index] as number)
    const end = start + (page.lengths[2 * index + 1] as number)
    records.push(
      new SoundRecord(
        content.toString("utf8", offset, start),
        content.subarray(start, end),
        page.hashes.slice(HASH_LENGTH * index, HASH_LENGTH * (index + 1)),
        facts.get(index) ?? timesOf(page.times, index),
      ),
    )
    offset = end
  }
  // From the back, so that earlier positions stay right.
  for (const [position, record] of page.faulty.toReversed()) records.splice(position, 0, record)
  return records
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

function positionsOfFaulty(records: readonly ReadRecord[]): [number, FaultyRecord][] {
  const faulty: [number, FaultyRecord][] = []
  let position = 0
  for (const record of records) {
    if (isSound(record)) position++
    else faulty.push([position, record])
  }
  return faulty
}

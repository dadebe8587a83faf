import type { RecordFacts } from "./examine.js"
import { type FaultyRecord, isSound, type ReadRecord } from "./read-record.js"

/** Records in columns, which threads hand over faster than as many small objects. */
export interface SourcePage {
  readonly keys: readonly string[]
  readonly texts: readonly string[]
  readonly bytes: readonly number[]
  readonly sha256: readonly string[]
  /** The few that have more to tell, by their position among the sound ones. */
  readonly facts: readonly (readonly [position: number, facts: RecordFacts])[]
  /** The damaged ones, and how many sound ones come before each. */
  readonly faulty: readonly (readonly [position: number, record: FaultyRecord])[]
}

export function packPage(records: readonly ReadRecord[]): SourcePage {
  const sound = records.filter(isSound)
  const faulty: [number, FaultyRecord][] = []
  let position = 0
  for (const record of records) {
    if (isSound(record)) position++
    else faulty.push([position, record])
  }
  return {
    keys: sound.map(({ key }) => key),
    texts: sound.map(({ text }) => text),
    bytes: sound.map(({ bytes }) => bytes),
    sha256: sound.map(({ sha256 }) => sha256),
    facts: sound.flatMap(({ facts }, index) => (facts === undefined ? [] : [[index, facts] as const])),
    faulty,
  }
}

export function unpackPage(page: SourcePage): ReadRecord[] {
  const facts = new Map(page.facts)
  const records: ReadRecord[] = page.keys.map((key, index) => ({
    key,
    text: page.texts[index] as string,
    bytes: page.bytes[index] as number,
    sha256: page.sha256[index] as string,
    facts: facts.get(index),
  }))
  // From the back, so that earlier positions stay right.
  for (const [position, record] of page.faulty.toReversed()) records.splice(position, 0, record)
  return records
}

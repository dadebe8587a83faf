/** Damage to one of the files of a database. */
export interface Mutation {
  /** What was done, and where. */
  readonly name: string
  readonly suffix: string
  readonly bytes: Buffer
}

/** The files of a database, by what their names end with. */
export type DatabaseFiles = Readonly<Record<string, Buffer>>

/** Pseudo-random whole numbers below a limit, the same for the same seed. */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

/** Damages one of some files: flips a bit, cuts the end off, or zeroes a range. */
export function mutate(files: DatabaseFiles, random: (limit: number) => number): Mutation {
  const suffixes = Object.keys(files)
  const suffix = suffixes[random(suffixes.length)] as string
  const bytes = Buffer.from(files[suffix] as Buffer)
  const offset = random(bytes.length)
  const end = Math.min(bytes.length, offset + 1 + random(random(2) === 0 ? 64 : 5_000))
  const manner = random(4)
  if (manner === 0) return { name: `cut ${suffix} at ${offset}`, suffix, bytes: bytes.subarray(0, offset) }
  if (manner === 1) {
    return { name: `zero ${suffix} from ${offset} to ${end}`, suffix, bytes: bytes.fill(0, offset, end) }
  }
  bytes[offset] = (bytes[offset] as number) ^ (1 << random(8))
  return { name: `flip ${suffix} at ${offset}`, suffix, bytes }
}

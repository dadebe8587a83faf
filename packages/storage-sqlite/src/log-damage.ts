import { closeSync, existsSync, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { StorageError } from "@sessile/core/storage"
import { sqliteFault } from "./sqlite-fault.js"

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** The first number of a log; the last bit says whether its checksums read words as big-endian. */
const MAGIC = 0x377f0682

/**
 * What SQLite would pass over in silence in a write-ahead log: it reads a log up to the first frame that does not match
 * its checksum, and drops the rest, as it must after a crash. The end of an interrupted write is no damage: an incomplete
 * frame, one of zeros, one before the remains of an older log or of a transaction that was rolled back. What is dropped
 * although a commit of the same log follows is, and so is a whole last frame whose checksum is wrong.
 *
 * @returns a sentence for each finding
 */
export function findLogDamage(path: string): string[] {
  return inspectLog(path).map(({ sentence }) => sentence)
}

/**
 * Refuses a database whose write-ahead log is damaged: opening it would drop what was written, and the next change
 * would overwrite it. A last frame that is damaged does not count here, as a crash may leave it.
 *
 * @throws StorageError `CORRUPT`
 */
export async function refuseDamagedLog(path: string): Promise<void> {
  for (let reading = 0; reading < READINGS; reading++) {
    const before = logStats(path)
    if (before === undefined) return
    const damage = damageOf(path, before.log).find(({ isAtEnd }) => !isAtEnd)
    if (damage === undefined) return
    const after = logStats(path)
    const isAtRest = before.mtimeNs === after?.mtimeNs && before.size === after.size && before.age > TICK
    if (isAtRest) throw refusal(damage.sentence, path)
    await setTimeout(TICK)
  }
}

/**
 * How often a damaged log is read again while another process writes to it. That process opened the database, and
 * so found its log whole.
 */
const READINGS = 10

/** Longer than file systems go without a new time, in milliseconds. */
const TICK = 20

interface LogDamage {
  readonly sentence: string
  /** Whether only the last frame is damaged. */
  readonly isAtEnd: boolean
}

function refusal(damage: string, path: string): StorageError {
  const advice = "nothing was changed: restore a backup, or convert what can still be read"
  return new StorageError("CORRUPT", `${damage}; ${advice}`, { path })
}

function logStats(path: string) {
  if (!existsSync(path)) return undefined
  const log = `${realpathSync(path)}-wal`
  const stats = statSync(log, { throwIfNoEntry: false, bigint: true })
  // A pipe would be read for ever.
  if (!stats?.isFile()) return undefined
  return { log, size: stats.size, mtimeNs: stats.mtimeNs, age: Date.now() - Number(stats.mtimeMs) }
}

function damageOf(path: string, log: string): LogDamage[] {
  try {
    return inspectLog(log)
  } catch (error) {
    // The last process to close a database removes its log.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw sqliteFault("read the log of the database", error, path)
  }
}

function inspectLog(path: string): LogDamage[] {
  const file = openSync(path, "r")
  try {
    return new Log(file).damage()
  } finally {
    closeSync(file)
  }
}

type Sums = readonly [number, number]

class Log {
  readonly #file: number
  readonly #header: Buffer
  readonly #frames: number
  readonly #frame: Buffer

  constructor(file: number) {
    this.#file = file
    this.#header = Buffer.alloc(HEADER_BYTES)
    readSync(file, this.#header, 0, HEADER_BYTES, 0)
    const pageSize = this.#header.readUInt32BE(8)
    const isPageSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0
    this.#frame = Buffer.alloc(FRAME_HEADER_BYTES + (isPageSize ? pageSize : 512))
    this.#frames = Math.floor(Math.max(0, fstatSync(file).size - HEADER_BYTES) / this.#frame.length)
  }

  damage(): LogDamage[] {
    if (this.#frames === 0) return []
    const header = this.#header
    const isWhole = (header.readUInt32BE(0) & ~1) >>> 0 === MAGIC && header.readUInt32BE(4) === 3_007_000
    const sums = this.#sums(header.subarray(0, 24), [0, 0])
    if (!isWhole || sums[0] !== header.readUInt32BE(24) || sums[1] !== header.readUInt32BE(28)) {
      if (header.every((byte) => byte === 0)) return []
      const sentence = "The header of the write-ahead log is damaged; SQLite drops all that is in the log"
      return [{ sentence, isAtEnd: false }]
    }
    const valid = this.#validFrames(sums)
    const lost = this.#lostFrames(valid)
    if (lost === 0) return []
    const sentence = `Frame ${valid + 1} of the write-ahead log is damaged; SQLite drops it and what was written after it, ${lost} pages at most`
    return [{ sentence, isAtEnd: valid === this.#frames - 1 }]
  }

  #validFrames(sums: Sums): number {
    let current = sums
    for (let index = 0; index < this.#frames; index++) {
      const frame = this.#read(index)
      if (!this.#isOfThisLog(frame) || frame.readUInt32BE(0) === 0) return index
      current = this.#sums(frame.subarray(FRAME_HEADER_BYTES), this.#sums(frame.subarray(0, 8), current))
      if (current[0] !== frame.readUInt32BE(16) || current[1] !== frame.readUInt32BE(20)) return index
    }
    return this.#frames
  }

  /** How many frames of this log SQLite drops from the first one on that is not valid, and must not. */
  #lostFrames(first: number): number {
    let lost = 0
    let hasCommit = false
    for (let index = first; index < this.#frames; index++) {
      const frame = this.#read(index)
      if (!this.#isOfThisLog(frame)) continue
      // Transactions that were rolled back leave frames, too, but none that ends a transaction.
      if (index > first && frame.readUInt32BE(4) !== 0) hasCommit = true
      if (!frame.subarray(FRAME_HEADER_BYTES).every((byte) => byte === 0)) lost++
    }
    // A writer that was killed between the header of a frame and its page leaves one such frame before older ones.
    return hasCommit || first === this.#frames - 1 ? lost : 0
  }

  #isOfThisLog(frame: Buffer): boolean {
    return frame.compare(this.#header, 16, 24, 8, 16) === 0
  }

  #read(index: number): Buffer {
    readSync(this.#file, this.#frame, 0, this.#frame.length, HEADER_BYTES + index * this.#frame.length)
    return this.#frame
  }

  /** SQLite's checksum: two sums over pairs of words, each of which depends on the other. */
  #sums(bytes: Buffer, [first, second]: Sums): Sums {
    const isBigEndian = (this.#header.readUInt32BE(0) & 1) === 1
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    let [a, b] = [first, second]
    for (let offset = 0; offset < bytes.length; offset += 8) {
      a = (a + view.getUint32(offset, !isBigEndian) + b) >>> 0
      b = (b + view.getUint32(offset + 4, !isBigEndian) + a) >>> 0
    }
    return [a, b]
  }
}

import {
  type BigIntStats,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { chmod, constants, copyFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { DatabaseCheck } from "./database-check.js"
import { findLogDamage } from "./log-damage.js"
import { problemsOf } from "./problems.js"

/** The files that make up a database: itself, and what a writer that was killed may have left beside it. */
const SUFFIXES = ["", "-wal", "-journal"] as const

/** How often to look for a moment at which nobody writes. */
const ATTEMPTS = 4

/**
 * A copy of a database in a folder of its own, which only its owner can enter. It is gone when the copy is closed, or
 * when the process ends. Except on Windows, an open copy has no name any more, so that not even a killed process
 * leaves it behind; one that is killed while it copies does.
 */
export class PrivateCopy {
  readonly #folder: string
  readonly #file: string
  readonly #onExit = () => this.close()
  /** What SQLite passes over in silence when it recovers the copy. */
  findings: readonly string[] = []
  #database: Database | undefined
  #check: DatabaseCheck | undefined

  private constructor() {
    // In one step, so that the process cannot end in between.
    this.#folder = mkdtempSync(join(tmpdir(), "sessile-copy-"))
    process.on("exit", this.#onExit)
    this.#file = join(this.#folder, "copy.db")
  }

  /** Copies a database as it is at one moment; `undefined` if somebody keeps changing it. */
  static async make(path: string): Promise<PrivateCopy | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const copy = await PrivateCopy.#attempt(path)
      if (copy !== undefined) return copy
    }
    return undefined
  }

  static async #attempt(path: string): Promise<PrivateCopy | undefined> {
    const copy = new PrivateCopy()
    let isWhole = false
    try {
      isWhole = await copyAtRest(path, copy.#file)
      if (isWhole) copy.#recover()
    } catch (error) {
      copy.close()
      throw error
    }
    if (isWhole) return copy
    copy.close()
    return undefined
  }

  /** Opens the copy, which is closed along with it, and begins to check it. */
  async open(connect: (file: string) => Database): Promise<Database> {
    try {
      this.#database = connect(this.#file)
    } catch (error) {
      this.close()
      throw error
    }
    this.#check = DatabaseCheck.start({ path: this.#file, isOnlyRead: true })
    await this.#check?.opened
    if (process.platform !== "win32") this.#remove()
    return this.#database
  }

  /** What is wrong with the copy, a sentence each. Nobody can open it any more, so that its check began when it was opened. */
  async check(): Promise<readonly string[]> {
    if (this.#check !== undefined) return this.#check.problems()
    return this.#database === undefined ? [] : problemsOf(this.#database, true)
  }

  close(): void {
    this.#database?.close()
    void this.#check?.stop()
    this.#remove()
  }

  #recover(): void {
    const log = `${this.#file}-wal`
    if (existsSync(log)) this.findings = findLogDamage(log)
    trustFileSize(this.#file)
    recover(this.#file)
  }

  #remove(): void {
    // A process that ends may still be copying, so that the folder fills again.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 })
    process.off("exit", this.#onExit)
  }
}

/** Copies the files of a database; gives `false` if they were changed meanwhile. */
async function copyAtRest(path: string, copy: string): Promise<boolean> {
  const before = statsOf(path)
  // A change within the same tick of the file system's clock as an earlier one does not show in the time of the
  // file. Once the tick is over, every change does.
  await setTimeout(tickOf(before))
  if (!isUnchanged(path, before)) return false
  for (const [position, suffix] of SUFFIXES.entries()) {
    if (before[position] === undefined) continue
    try {
      await copyFile(path + suffix, copy + suffix, constants.COPYFILE_FICLONE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false
      throw error
    }
    // The permissions came along, and may not let the owner write.
    await chmod(copy + suffix, 0o600)
  }
  return isUnchanged(path, before)
}

type Stats = readonly (BigIntStats | undefined)[]

function statsOf(path: string): Stats {
  return SUFFIXES.map((suffix) => statSync(path + suffix, { bigint: true, throwIfNoEntry: false }))
}

function isUnchanged(path: string, before: Stats): boolean {
  return statsOf(path).every((now, position) => {
    const then = before[position]
    return now?.ino === then?.ino && now?.size === then?.size && now?.mtimeNs === then?.mtimeNs
  })
}

/** How many milliseconds may pass between two ticks: whole seconds betray a coarse clock. */
function tickOf(stats: Stats): number {
  return stats.some((entry) => entry !== undefined && entry.mtimeNs % 1_000_000_000n === 0n) ? 2_000 : 20
}

/**
 * Has SQLite go by the size of a file instead of what its header says: it opens no database that is cut short. The header
 * counts only if two numbers in it are the same.
 */
function trustFileSize(file: string): void {
  const handle = openSync(file, "r+")
  try {
    const header = Buffer.alloc(100)
    if (readSync(handle, header, 0, 100, 0) < 100) return
    const changes = header.readUInt32BE(24)
    header.writeUInt32BE((changes + 1) >>> 0, 92)
    writeSync(handle, header, 92, 4, 92)
  } finally {
    closeSync(handle)
  }
}

/** Does what SQLite does after a crash: takes in the log, or takes back what was half done. Leaves one plain file. */
function recover(file: string): void {
  const database = new SqliteDatabase(file)
  try {
    database.pragma("synchronous = OFF")
    database.pragma("journal_mode = DELETE")
  } finally {
    database.close()
  }
}

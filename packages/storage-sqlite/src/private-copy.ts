import { type BigIntStats, mkdtempSync, rmSync, statSync } from "node:fs"
import { chmod, constants, copyFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import SqliteDatabase, { type Database } from "better-sqlite3"

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
  #database: Database | undefined

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
      if (isWhole) recover(copy.#file)
    } catch (error) {
      copy.close()
      throw error
    }
    if (isWhole) return copy
    copy.close()
    return undefined
  }

  /** Opens the copy, which is closed along with it. */
  open(connect: (file: string) => Database): Database {
    try {
      this.#database = connect(this.#file)
    } catch (error) {
      this.close()
      throw error
    }
    if (process.platform !== "win32") this.#remove()
    return this.#database
  }

  close(): void {
    this.#database?.close()
    this.#remove()
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

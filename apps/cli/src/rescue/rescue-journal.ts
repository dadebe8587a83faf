import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"

/** A rescue that has begun to write. */
export interface RescueAttempt {
  /** In milliseconds. */
  readonly startedAt: number
  /** Whether the database did not exist before. */
  readonly isNewDatabase: boolean
  /** The copy of the database as it was before; `null` when none was made. */
  readonly backup: string | null
}

/**
 * What rescues did to a database: without it, sessions that were deleted in opencode after a rescue could not be told from
 * those that were never brought in, and every attempt after a crash would make another backup.
 */
export interface RescueJournal {
  /** The sessions that the database had after a rescue. */
  readonly sessions: readonly string[]
  /** The rescue that did not reach its end. */
  readonly unfinished: RescueAttempt | null
}

const SCHEMA_VERSION = 1

/** The file beside a database that holds its journal. */
export function journalPath(database: string): string {
  return `${database}.rescue.json`
}

/** The journal of a database, empty where there is none. */
export async function readJournal(database: string): Promise<RescueJournal> {
  try {
    const { schemaVersion, sessions, unfinished } = JSON.parse(await readFile(journalPath(database), "utf8"))
    if (schemaVersion === SCHEMA_VERSION && Array.isArray(sessions)) return { sessions, unfinished }
  } catch (error) {
    // A journal is replaced as a whole: one that cannot be parsed was damaged by others, and is worth nothing.
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error
  }
  return { sessions: [], unfinished: null }
}

export async function writeJournal(database: string, journal: RescueJournal): Promise<void> {
  const path = journalPath(database)
  const text = `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...journal }, null, 2)}\n`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}

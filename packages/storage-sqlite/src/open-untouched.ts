import { existsSync, realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import type { Database } from "better-sqlite3"
import { DatabaseCheck } from "./database-check.js"
import { readHeader, requireFile, truncation } from "./database-file.js"
import { isOpenHere } from "./open-handles.js"
import { PrivateCopy } from "./private-copy.js"
import { problemsOf } from "./problems.js"
import { sqliteFault } from "./sqlite-fault.js"

/** A database, how to check it, and how to let go of it. */
export interface OpenedDatabase {
  readonly database: Database
  /** What is wrong with it, a sentence each, without stored content (see `checkDatabase`). */
  readonly check: () => Promise<readonly string[]>
  readonly close: () => void
}

/**
 * Opens a database for reading so that nothing in its folder changes: not a byte, not a time, not a name. SQLite
 * reads a plain file like that. Where there is a write-ahead log it would make files beside it, where a killed writer left
 * a journal it would have to write, and one that is cut short it would not open: then a private copy is read. One that is
 * in use is read where it is, by SQLite's own rules: whoever uses it changes its files anyway.
 *
 * The check of what was opened begins at once, in a thread of its own where there is room for one.
 *
 * @param connect opens the file that it is given, for reading only: the database or its copy
 * @throws StorageError `NOT_FOUND`, `INVALID_ARGUMENT` for a folder, `CORRUPT`, `DENIED`, and what `connect` throws
 */
export async function openUntouched(
  path: string,
  connect: (file: string) => Database,
): Promise<OpenedDatabase> {
  const { file, isReadInPlace, findings } = lookAt(path)
  const copy = isReadInPlace ? undefined : await copyOf(file, path)
  if (copy !== undefined) {
    const database = await copy.open(connect)
    const check = async () => [...findings, ...copy.findings, ...(await copy.check())]
    return { database, check, close: () => copy.close() }
  }
  const database = connect(path)
  const check = DatabaseCheck.start({ path, isOnlyRead: true })
  return {
    database,
    check: async () => (check === undefined ? problemsOf(database, true) : check.problems()),
    close: () => {
      database.close()
      void check?.stop()
    },
  }
}

function lookAt(path: string) {
  try {
    requireFile(path)
    const file = realpathSync(path)
    const cut = truncation(path)
    const isReadInPlace = cut === undefined && (isOpenHere(file) || isPlain(file))
    return { file, isReadInPlace, findings: cut === undefined ? [] : [cut] }
  } catch (error) {
    throw sqliteFault("open the database", error, path)
  }
}

async function copyOf(file: string, path: string): Promise<PrivateCopy | undefined> {
  try {
    return await PrivateCopy.make(file)
  } catch (error) {
    throw sqliteFault(`read a copy of the database in ${tmpdir()}`, error, path)
  }
}

/** Whether SQLite needs no file but the database itself. */
function isPlain(path: string): boolean {
  if (existsSync(`${path}-wal`) || existsSync(`${path}-journal`)) return false
  const WRITE_AHEAD_LOG = 2
  return readHeader(path)[19] !== WRITE_AHEAD_LOG
}

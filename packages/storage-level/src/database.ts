import { readdir, stat } from "node:fs/promises"
import { StorageError } from "@sessile/core/storage"
import { Level } from "level"
import { levelFault } from "./level-fault.js"
import { makeFolder } from "./make-folder.js"

/** The engine. Keys and values are UTF-8 unless a call says otherwise. */
export type Database = Level<string, string> & {
  /** Of classic-level, which is what `level` is in Node, though its types do not say so. */
  compactRange(start: string, end: string): Promise<void>
}

/** The database as it was at one moment. */
export type Snapshot = ReturnType<Database["snapshot"]>

/**
 * Opens the database in a folder, making it if it is missing. LevelDB drops what is damaged, or ends the process:
 * see `examineStore` first.
 *
 * @throws StorageError `CORRUPT`, `LOCKED`, `DENIED`, `READONLY`, `FULL`
 */
export async function openDatabase(path: string): Promise<Database> {
  try {
    const database = new Level(path) as Database
    await database.open()
    return database
  } catch (error) {
    throw levelFault("open the store", error, path)
  }
}

/** The names of the files of a store; `undefined` where there is no folder. */
export async function filesOf(path: string): Promise<string[] | undefined> {
  try {
    return await readdir(path)
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    if (hasCode(error, "ENOTDIR")) throw noFolder(path)
    throw levelFault("list the files of the store", error, path)
  }
}

/**
 * Makes the folder of a store if it is missing, and if `isDurable` waits until it has reached the disk.
 *
 * @throws StorageError `INVALID_ARGUMENT` for what is no folder, `DENIED`, `READONLY`, `FULL`
 */
export async function prepareFolder(path: string, isDurable: boolean): Promise<void> {
  try {
    await makeFolder(path, isDurable)
    if (!(await stat(path)).isDirectory()) throw noFolder(path)
  } catch (error) {
    if (hasCode(error, "ENOTDIR", "EEXIST", "ENAMETOOLONG")) throw noFolder(path)
    throw levelFault("open the store", error, path)
  }
}

/**
 * Refuses a store that is open elsewhere. To open a database that must not exist fails after the lock, and before
 * anything is read or changed.
 *
 * @throws StorageError `LOCKED`, `DENIED`, `READONLY`, `FULL`
 */
export async function refuseHeld(path: string): Promise<void> {
  const probe = new Level(path, { createIfMissing: false, errorIfExists: true })
  try {
    await probe.open()
  } catch (error) {
    const fault = levelFault("open the store", error, path)
    if (fault.code !== "IO") throw fault
  }
}

function noFolder(path: string): StorageError {
  return new StorageError("INVALID_ARGUMENT", "A LevelDB store is a folder, and this is not one", { path })
}

function hasCode(error: unknown, ...expected: readonly string[]): boolean {
  return error instanceof Error && expected.includes((error as NodeJS.ErrnoException).code ?? "")
}

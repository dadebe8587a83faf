import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { DataFolderError, opencodePaths } from "@sessile/core/paths"
import { StorageError } from "@sessile/core/storage"
import { isVacant, lookAt } from "./findings.js"
import { opencodeKind } from "./opencode-kind.js"
import { isSqlite } from "./sqlite-kind.js"

/** What opencode calls its database, by release channel. */
const NAME = /^opencode(-.+)?\.db$/

/** A file with the name of a database of opencode's. */
export interface DatabaseFile {
  readonly path: string
  /** Why it is none; `undefined` for a database. */
  readonly reason?: string | undefined
  /** What is wrong with it, where it should be one. */
  readonly error?: StorageError | undefined
}

/**
 * The databases of opencode in a data folder, whichever release channel made them, the one that was used last first. What
 * is no file, is empty or belongs to another program is none.
 *
 * @throws StorageError `CORRUPT` for a file with the name of a database that is not one
 */
export async function findDatabases(folder: string): Promise<string[]> {
  const files = await databaseFiles(folder)
  const [flaw] = files.flatMap(({ error }) => error ?? [])
  if (flaw !== undefined) throw flaw
  return files.filter(({ reason }) => reason === undefined).map(({ path }) => path)
}

/** All files in a data folder that are named like a database of opencode's, the one that was used last first. */
export async function databaseFiles(folder: string): Promise<DatabaseFile[]> {
  const found: (DatabaseFile & { used: number })[] = []
  for (const name of (await namesIn(folder)).filter((name) => NAME.test(name))) {
    const path = join(folder, name)
    found.push({ path, used: await lastUse(path), ...(await examine(path)) })
  }
  return found.sort((a, b) => b.used - a.used)
}

/** What is at a path that is neither a file nor missing, in words. */
export async function otherThanFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(absent)
  if (found === undefined || found.isFile()) return undefined
  if (found.isDirectory()) return "a folder"
  if (found.isFIFO()) return "a named pipe"
  return found.isSocket() ? "a socket" : "a device"
}

/** The database that `OPENCODE_DB` names, if there is one; it belongs to the data folder of this user only. */
export async function configuredDatabase(folder: string): Promise<string | undefined> {
  if (!process.env.OPENCODE_DB || folder !== ownDataFolder()) return undefined
  const { database } = opencodePaths()
  return (await isOpencodeDatabase(database)) ? database : undefined
}

function ownDataFolder(): string | undefined {
  try {
    return opencodePaths().data
  } catch (error) {
    if (DataFolderError.is(error)) return undefined
    throw error
  }
}

async function isOpencodeDatabase(path: string): Promise<boolean> {
  const { reason, error } = await examine(path)
  if (error !== undefined) throw error
  return reason === undefined
}

async function examine(path: string): Promise<Omit<DatabaseFile, "path">> {
  // Opening a pipe would wait for its writer forever, and none of these can be a database.
  const other = await otherThanFile(path)
  if (other !== undefined) return { reason: `${other}, not a file` }
  try {
    const findings = await lookAt(path)
    if (findings?.header === undefined) return { reason: "a link that leads nowhere" }
    if (isVacant(findings)) return { reason: "an empty file" }
    if (!isSqlite(findings.header)) {
      const message = "This file has the name of opencode's database, but is not an SQLite database"
      throw new StorageError("CORRUPT", message, { path })
    }
    return (await opencodeKind.recognises(findings)) ? {} : { reason: "not a database of opencode" }
  } catch (error) {
    if (!StorageError.is(error)) throw error
    return { reason: error.message, error }
  }
}

// What was written last is in the log first.
async function lastUse(path: string): Promise<number> {
  const found = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(absent)))
  return Math.max(...found.map((file) => file?.mtimeMs ?? 0))
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? []
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
  throw error
}

import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { DataFolderError, opencodePaths } from "@sessile/core/paths"
import { StorageError } from "@sessile/core/storage"
import { isVacant, lookAt } from "./findings.js"
import { opencodeKind } from "./opencode-kind.js"
import { isSqlite } from "./sqlite-kind.js"

/** What opencode calls its database, by release channel. */
const NAME = /^opencode(-.+)?\.db$/

/**
 * The databases of opencode in a data folder, whichever release channel made them, the one that was used last first. What
 * is no file, is empty or belongs to another program is none.
 *
 * @throws StorageError `CORRUPT` for a file with the name of a database that is not one
 */
export async function findDatabases(folder: string): Promise<string[]> {
  const found: { path: string; used: number }[] = []
  for (const name of (await namesIn(folder)).filter((name) => NAME.test(name))) {
    const path = join(folder, name)
    if (await isOpencodeDatabase(path)) found.push({ path, used: await lastUse(path) })
  }
  return found.sort((a, b) => b.used - a.used).map(({ path }) => path)
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
  // A FIFO would never end, and none of these can be a database.
  if (!(await stat(path).catch(absent))?.isFile()) return false
  const findings = await lookAt(path)
  if (findings?.header === undefined || isVacant(findings)) return false
  if (!isSqlite(findings.header)) {
    const message = "This file has the name of opencode's database, but is not an SQLite database"
    throw new StorageError("CORRUPT", message, { path })
  }
  return await opencodeKind.recognises(findings)
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

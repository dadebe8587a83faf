import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import SqliteDatabase, { type Database } from "better-sqlite3"

/** A partial copy of another machine, which cannot be asked for its processes, is abandoned after this time. */
const ABANDONED_AFTER = 24 * 60 * 60 * 1000

/** Where the backup of a database from a certain time is. */
export function backupPath(database: string, time: number): string {
  return `${database}.${new Date(time).toISOString().replaceAll(/[-:.]/g, "")}.backup`
}

/**
 * Copies a database while others use it, and makes sure that the copy is sound. The file must not exist yet; it has
 * its name only when it is whole. What killed processes left of copies of the same database is removed.
 */
export async function backUp(database: Database, path: string, original: string): Promise<void> {
  if (existsSync(path)) throw new StorageError("IO", "There is already a backup of this name", { path })
  removeAbandoned(original)
  const partial = `${path}.${ownName()}.partial`
  closeSync(openSync(partial, "wx", 0o600))
  try {
    await database.backup(partial)
    verify(partial)
    await sync(partial)
    await rename(partial, path)
    await sync(dirname(path))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

function verify(path: string): void {
  const copy = new SqliteDatabase(path)
  try {
    // One plain file, without a log beside it.
    copy.pragma("journal_mode = DELETE")
    const result = copy.pragma("integrity_check(1)", { simple: true })
    if (result === "ok") return
    const message = "The database is damaged, and no sound backup of it can be made; nothing was changed"
    throw new StorageError("CORRUPT", `${message}: ${result}`, { path })
  } finally {
    copy.close()
  }
}

/** Removes partial copies whose process has ended, with the journals that SQLite may have left beside them. */
function removeAbandoned(original: string): void {
  const folder = dirname(original)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(original)}.`)) continue
    const owner = /\.backup\.(?<host>.+)-(?<pid>\d+)\.partial(?:-journal|-wal|-shm)?$/.exec(name)?.groups
    if (owner === undefined) continue
    const path = join(folder, name)
    const isOver = owner.host === hostName() ? !isRunning(Number(owner.pid)) : ageOf(path) > ABANDONED_AFTER
    if (isOver) rmSync(path, { force: true })
  }
}

/** Names this process among those of all machines that share a folder. */
function ownName(): string {
  return `${hostName()}-${process.pid}`
}

function hostName(): string {
  return hostname().replaceAll(/[^\w.-]/g, "_")
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user cannot be signalled, but runs.
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

function ageOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 0 : Date.now() - found.mtimeMs
}

async function sync(path: string): Promise<void> {
  // Windows has no way to sync a folder, and writes names with their files.
  if (process.platform === "win32" && statSync(path).isDirectory()) return
  await using file = await open(path, process.platform === "win32" ? "r+" : "r")
  await file.sync()
}

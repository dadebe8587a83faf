import { closeSync, existsSync, mkdirSync, openSync, readSync, realpathSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { isOpenHere } from "./open-handles.js"
import { sqliteFault } from "./sqlite-fault.js"
import { syncFolders } from "./sync-folders.js"

/** How a file is to be prepared. */
export interface FileSettings {
  readonly readonly: boolean
  readonly durability: "normal" | "full"
}

/** Makes sure that a whole file lies there, as far as its first bytes show; without `readonly` it is made. */
export function prepareFile(path: string, { readonly, durability }: FileSettings): void {
  try {
    if (!readonly && !existsSync(path)) makeFile(path, durability)
    requireFile(path)
    const reason = truncation(path)
    if (reason !== undefined) throw new StorageError("CORRUPT", `${reason}; restore a backup`, { path })
  } catch (error) {
    throw sqliteFault("open the database", error, path)
  }
}

/** Refuses what is no file. */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new StorageError("NOT_FOUND", "There is no store here", { path })
  if (found.isFile()) return
  const kind = found.isDirectory() ? "a folder" : "none"
  throw new StorageError("INVALID_ARGUMENT", `A SQLite store is a file, and this is ${kind}`, { path })
}

/**
 * Says so if a database is cut short, which SQLite itself notices only when it needs a page that is missing. Nothing is
 * known of one that has a log, which may hold the rest, nor of one that is open in this process (see `isOpenHere`).
 *
 * @throws StorageError `CORRUPT` for a file that is no SQLite database
 */
export function truncation(path: string): string | undefined {
  const { size } = statSync(path)
  const file = realpathSync(path)
  if (size === 0 || existsSync(`${file}-wal`) || isOpenHere(file)) return undefined
  const header = readHeader(path)
  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw new StorageError("CORRUPT", "The file is not an SQLite database; nothing was changed", { path })
  }
  const expected = sizeOf(header)
  return size < expected ? `The database is cut short: ${size} of ${expected} bytes are there` : undefined
}

/** How many bytes a database has by its header. */
function sizeOf(header: Buffer): number {
  // The header holds 1 for a page size of 65,536.
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  return pageSize * header.readUInt32BE(28)
}

/** The first 100 bytes of a database, which describe it. It must not be open in this process (see `isOpenHere`). */
export function readHeader(path: string): Buffer {
  const header = Buffer.alloc(100)
  const file = openSync(path, "r")
  try {
    readSync(file, header, 0, 100, 0)
  } finally {
    closeSync(file)
  }
  return header
}

function makeFile(path: string, durability: "normal" | "full"): void {
  const folder = dirname(path)
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 })
  // SQLite gives the files beside it the same permissions: histories hold secrets.
  closeSync(openSync(path, "a", 0o600))
  if (durability === "full") syncFolders(folder, firstMade)
}

import { closeSync, existsSync, mkdirSync, openSync, readSync, realpathSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { sqliteFault } from "./sqlite-fault.js"

/** Makes sure that a whole file lies there, as far as its first bytes can tell; without `readonly` it is made. */
export function prepareFile(path: string, readonly: boolean): void {
  try {
    if (!existsSync(path)) {
      if (readonly) throw new StorageError("NOT_FOUND", "There is no store here", { path })
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      // SQLite gives the files beside it the same permissions: histories hold secrets.
      closeSync(openSync(path, "a", 0o600))
      return
    }
    if (statSync(path).isDirectory()) {
      throw new StorageError("INVALID_ARGUMENT", "A SQLite store is a file, and this is a folder", { path })
    }
    refuseTruncated(path)
  } catch (error) {
    throw sqliteFault("open the database", error, path)
  }
}

// SQLite itself notices missing pages only when it needs one of them.
function refuseTruncated(path: string): void {
  const { size } = statSync(path)
  if (size === 0 || existsSync(`${realpathSync(path)}-wal`)) return
  const header = readHeader(path)
  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw new StorageError("CORRUPT", "The file is not an SQLite database; nothing was changed", { path })
  }
  // The header holds 1 for a page size of 65,536.
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expected = pageSize * header.readUInt32BE(28)
  if (size >= expected) return
  const message = `The database is cut short: ${size} of ${expected} bytes are there; restore a backup`
  throw new StorageError("CORRUPT", message, { path })
}

/** The first 100 bytes of a database, which describe it. */
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

import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs"
import { type Key, StorageError } from "@sessile/core/storage"
import { hasCode } from "./storage-fault.js"
import { leadsOut, type StoreBounds } from "./store-bounds.js"

// Opening a pipe would wait for its other end. Windows knows neither flag.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** An open file, to be closed, and its size. */
export interface RegularFile {
  readonly descriptor: number
  readonly size: number
}

/**
 * Opens a file for reading if it is a regular one. A link is followed only within the bounds of a store: data decides
 * where links lead, and devices and pipes may never end.
 *
 * @throws StorageError `CORRUPT` for what is no regular file, and whatever the system says
 */
export function openRegular(path: string, bounds?: StoreBounds, key?: Key): RegularFile {
  const descriptor = openUnlinked(path, bounds, key)
  const stats = fstatSync(descriptor)
  if (stats.isFile()) return { descriptor, size: stats.size }
  closeSync(descriptor)
  throw notRegular(path, key)
}

/** The content of a file that {@link openRegular} opens. */
export function readRegular(path: string): Buffer {
  const { descriptor } = openRegular(path)
  try {
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function openUnlinked(path: string, bounds: StoreBounds | undefined, key: Key | undefined): number {
  try {
    return openSync(path, FLAGS)
  } catch (error) {
    // A socket, or a folder on Windows.
    if (hasCode(error, "ENXIO", "EISDIR", "EOPNOTSUPP")) throw notRegular(path, key)
    if (!hasCode(error, "ELOOP", "EMLINK", "EFTYPE")) throw error
  }
  const target = bounds && realpathSync.native(path)
  if (target === undefined || !bounds?.contains(target)) throw leadsOut(path, key)
  return openSync(target, FLAGS)
}

function notRegular(path: string, key: Key | undefined): StorageError {
  const message = "This is no regular file (a folder, a pipe, a socket or a device in its place); remove it"
  return new StorageError("CORRUPT", message, { key, path })
}

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs"
import { join } from "node:path"
import { hasCode } from "./storage-fault.js"

// A lock is a folder with one file, named after its owner. The folder gets its place by a rename, which fails while a
// folder with anything in it is there; an empty one is free. Removing the file thus ends the lock of exactly that owner,
// and never that of one who came later.

/** What a rename onto a folder fails with that holds something, and the removal of one. */
const FULL = ["ENOTEMPTY", "EEXIST"]

/** Windows has these for it, which may mean other things as well. */
const FULL_ON_WINDOWS = process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : []

/** Prepares a lock where nobody sees it. */
export function prepareLock(folder: string, owner: string): void {
  mkdirSync(folder, { mode: 0o700 })
  closeSync(openSync(join(folder, owner), "wx", 0o600))
}

/** Moves a prepared lock to its place; returns whether the place was free. */
export function placeLock(prepared: string, path: string): boolean {
  try {
    renameSync(prepared, path)
    return true
  } catch (error) {
    if (hasCode(error, ...FULL) || (hasCode(error, ...FULL_ON_WINDOWS) && existsSync(path))) return false
    throw error
  }
}

/** The names of those who hold a lock, at most one; `undefined` where there is none. */
export function ownersOf(path: string): string[] | undefined {
  try {
    return readdirSync(path)
  } catch (error) {
    // ENOTDIR: what is no folder is no lock.
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined
    throw error
  }
}

/** Ends the lock of an owner, and of no other. */
export function endLock(path: string, owner: string): void {
  const file = join(path, owner)
  try {
    unlinkSync(file)
  } catch (error) {
    // A folder that somebody put there.
    if (hasCode(error, "EISDIR", "EPERM")) rmSync(file, { recursive: true, force: true })
    else if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error
  }
  removeFree(path)
}

/** Removes the folder of a lock that nobody holds. */
export function removeFree(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", ...FULL, ...FULL_ON_WINDOWS)) throw error
  }
}

/** What changes whenever an owner shows that it lives. */
export function signOfLife(path: string, owner: string): string {
  try {
    // Network file systems answer from memory unless the file is opened.
    const file = openSync(join(path, owner), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const { mtimeMs, ctimeMs, size } = fstatSync(file)
      return `${mtimeMs} ${ctimeMs} ${size}`
    } finally {
      closeSync(file)
    }
  } catch (error) {
    // What is no file shows no life.
    if (hasCode(error, "ENOENT", "ELOOP", "ENXIO", "EACCES", "EISDIR")) return ""
    throw error
  }
}

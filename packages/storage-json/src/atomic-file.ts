import { randomUUID } from "node:crypto"
import {
  closeSync,
  constants,
  existsSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { open, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { hasCode } from "./storage-fault.js"

const syncFileDescriptor = promisify(fsync)

/** For its owner only: histories hold secrets. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Content of less length is written synchronously: a trip through the thread pool takes longer than the writing. */
const SMALL = 64 * 1024

export interface AtomicWriteOptions {
  /** Where the file is prepared. */
  readonly temporary: string
  /** Wait until content and name have reached the disk. */
  readonly sync: boolean
}

/** Makes a folder and what is missing above it; gives the topmost folder that was made, if any was. */
export function makeFolder(path: string): string | undefined {
  try {
    return mkdirSync(path, { recursive: true, mode: FOLDER_MODE })
  } catch (error) {
    // On a read-only file system a recursive mkdir fails with ENOENT, a plain one with the true reason.
    if (!hasCode(error, "ENOENT")) throw error
    const topmost = makeFolder(dirname(path))
    mkdirSync(path, { mode: FOLDER_MODE })
    return topmost ?? path
  }
}

/** Replaces a file so that every reader sees the old content or the new, whatever happens. */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  { temporary, sync }: AtomicWriteOptions,
): Promise<void> {
  try {
    await prepareAndRename(path, content, join(temporary, randomUUID()), sync)
  } catch (error) {
    // rename is atomic only within one file system; a linked folder may lie on another.
    if (!hasCode(error, "EXDEV")) throw error
    await prepareAndRename(path, content, join(dirname(path), `.${randomUUID()}`), sync)
  }
  if (sync) await syncFolder(dirname(path))
}

/**
 * Writes a file that exists and moves it into place, so that every reader of `path` sees the old content or the new.
 * Where the file is no longer there, as its lock was lost, nothing changes.
 *
 * @returns whether it was there
 */
export async function commitFile(
  prepared: string,
  path: string,
  content: string | Uint8Array,
  sync: boolean,
): Promise<boolean> {
  try {
    await fillFile(prepared, "r+", content, sync)
    await withFolder(path, sync, () => renameSync(prepared, path))
  } catch (error) {
    if (!existsSync(prepared)) return false
    // rename is atomic only within one file system; a folder may be the root of another.
    if (!hasCode(error, "EXDEV")) throw error
    await prepareAndRename(path, content, join(dirname(path), `.${randomUUID()}`), sync)
  }
  if (sync) await syncFolder(dirname(path))
  return true
}

/** What `link` fails with where there are no hard links, or not from one file system to another. */
const CANNOT_LINK = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV"]

/**
 * Makes a file whose every reader sees the whole content, unless there is one: of several processes exactly one
 * succeeds. Gives whether it did; `false` also where the file system cannot do it this way.
 */
export async function addAtomically(
  path: string,
  content: string,
  { temporary, sync }: AtomicWriteOptions,
): Promise<boolean> {
  const prepared = join(temporary, randomUUID())
  const create = { flag: "wx", mode: FILE_MODE, flush: sync }
  try {
    await withFolder(prepared, false, () => writeFileSync(prepared, content, create))
    await withFolder(path, sync, () => linkSync(prepared, path))
  } catch (error) {
    if (hasCode(error, "EEXIST", ...CANNOT_LINK)) return false
    throw error
  } finally {
    removeIfThere(prepared)
  }
  if (sync) await syncFolder(dirname(path))
  return true
}

// A pipe must not bring the process to a halt, nor a link lead elsewhere.
const UNLINKED = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Waits until the names in a folder have reached the disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and needs no such call.
  if (process.platform !== "win32") await waitForDisk(path, "r")
}

/** Waits until the content of a file has reached the disk. */
export async function syncFile(path: string): Promise<void> {
  // Windows wants to be allowed to write.
  await waitForDisk(path, process.platform === "win32" ? "r+" : UNLINKED)
}

// Only the waiting is left to others: handing over opening and closing, too, would take longer than they do.
async function waitForDisk(path: string, flags: string | number): Promise<void> {
  const file = openSync(path, flags)
  try {
    await syncFileDescriptor(file)
  } finally {
    closeSync(file)
  }
}

async function prepareAndRename(
  path: string,
  content: string | Uint8Array,
  prepared: string,
  sync: boolean,
): Promise<void> {
  try {
    await withFolder(prepared, false, () => fillFile(prepared, "w", content, sync))
    await withFolder(path, sync, () => renameSync(prepared, path))
  } catch (error) {
    await rm(prepared, { force: true })
    throw error
  }
}

async function fillFile(
  path: string,
  flags: "w" | "r+",
  content: string | Uint8Array,
  sync: boolean,
): Promise<void> {
  if (!sync && content.length < SMALL) return writeFileSync(path, content, { flag: flags, mode: FILE_MODE })
  const file = await open(path, flags, FILE_MODE)
  try {
    await file.writeFile(content)
    if (sync) await file.sync()
  } finally {
    await file.close()
  }
}

/** Tries an action on `path`, and once more after making its folder if that is missing. */
async function withFolder(path: string, sync: boolean, action: () => Promise<void> | void): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
    const topmost = makeFolder(dirname(path))
    if (sync && topmost !== undefined) await syncAbove(dirname(path), topmost)
    await action()
  }
}

/** Waits until the names of new folders, from `path` up to `topmost`, have reached the disk. */
async function syncAbove(path: string, topmost: string): Promise<void> {
  for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) {
    await syncFolder(dirname(folder))
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
  }
}

import { randomUUID } from "node:crypto"
import { existsSync, linkSync, renameSync, unlinkSync, writeFileSync } from "node:fs"
import { open, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { DurableFolders } from "./durable-folders.js"
import { hasCode } from "./storage-fault.js"
import { makeFolder } from "./sync-folder.js"

/** For its owner only: histories hold secrets. */
const FILE_MODE = 0o600

/** Content of less length is written synchronously: a trip through the thread pool takes longer than the writing. */
const SMALL = 64 * 1024

export interface AtomicWriteOptions {
  /** Where the file is prepared. */
  readonly temporary: string
  /** Where content and names are to reach the disk before a change is done. */
  readonly durable?: DurableFolders | undefined
}

/** Replaces a file so that every reader sees the old content or the new, whatever happens. */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  { temporary, durable }: AtomicWriteOptions,
): Promise<void> {
  try {
    await prepareAndRename(path, content, join(temporary, randomUUID()), durable)
  } catch (error) {
    // rename is atomic only within one file system; a linked folder may lie on another.
    if (!hasCode(error, "EXDEV")) throw error
    await prepareAndRename(path, content, join(dirname(path), `.${randomUUID()}`), durable)
  }
  await durable?.sync(dirname(path))
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
  durable?: DurableFolders,
): Promise<boolean> {
  try {
    await fillFile(prepared, "r+", content, durable !== undefined)
    await withFolder(path, durable, () => renameSync(prepared, path))
  } catch (error) {
    if (!existsSync(prepared)) return false
    // rename is atomic only within one file system; a folder may be the root of another.
    if (!hasCode(error, "EXDEV")) throw error
    await prepareAndRename(path, content, join(dirname(path), `.${randomUUID()}`), durable)
  }
  await durable?.sync(dirname(path))
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
  { temporary, durable }: AtomicWriteOptions,
): Promise<boolean> {
  const prepared = join(temporary, randomUUID())
  const create = { flag: "wx", mode: FILE_MODE, flush: durable !== undefined }
  try {
    await withFolder(prepared, undefined, () => writeFileSync(prepared, content, create))
    await withFolder(path, durable, () => linkSync(prepared, path))
  } catch (error) {
    if (hasCode(error, "EEXIST", ...CANNOT_LINK)) return false
    throw error
  } finally {
    removeIfThere(prepared)
  }
  await durable?.sync(dirname(path))
  return true
}

async function prepareAndRename(
  path: string,
  content: string | Uint8Array,
  prepared: string,
  durable: DurableFolders | undefined,
): Promise<void> {
  try {
    await withFolder(prepared, undefined, () => fillFile(prepared, "w", content, durable !== undefined))
    await withFolder(path, durable, () => renameSync(prepared, path))
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
async function withFolder(
  path: string,
  durable: DurableFolders | undefined,
  action: () => Promise<void> | void,
): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
    if (durable === undefined) makeFolder(dirname(path))
    else durable.make(dirname(path))
    await action()
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
  }
}

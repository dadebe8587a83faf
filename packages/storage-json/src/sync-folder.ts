import { closeSync, constants, fsync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import { promisify } from "node:util"
import { hasCode } from "./storage-fault.js"

const syncFileDescriptor = promisify(fsync)

/** For its owner only: histories hold secrets. */
const FOLDER_MODE = 0o700

// A pipe must not bring the process to a halt, nor a link lead elsewhere.
const UNLINKED = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

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

/** Waits until the names in a folder have reached the disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and needs no such call.
  if (process.platform !== "win32") await waitForDisk(path, "r")
}

/** Waits until the names of new folders, from `path` up to `topmost`, have reached the disk. */
export async function syncAbove(path: string, topmost: string): Promise<void> {
  for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) {
    await syncFolder(dirname(folder))
  }
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

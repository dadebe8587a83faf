import { lstat, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { hasCode } from "./storage-fault.js"

/** No write takes that long. */
const ABANDONED_AFTER = 60 * 60 * 1000

/** Removes the half-written files of killed processes, which nobody sees. */
export async function sweepTemporary(folder: string): Promise<void> {
  const oldest = Date.now() - ABANDONED_AFTER
  for (const name of await readdir(folder)) await removeIfOlder(join(folder, name), oldest)
}

async function removeIfOlder(path: string, oldest: number): Promise<void> {
  try {
    if ((await lstat(path)).mtimeMs < oldest) await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
  }
}

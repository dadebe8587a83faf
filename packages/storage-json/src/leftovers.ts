import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { hasCode } from "./storage-fault.js"
import type { StoreLayout } from "./store-layout.js"

/** No write and no living lock is that old. */
const ABANDONED_AFTER = 60 * 60 * 1000

/** Removes what killed processes left: half-written files that nobody sees, and locks that nobody holds. */
export async function sweepLeftovers(layout: StoreLayout): Promise<void> {
  const oldest = Date.now() - ABANDONED_AFTER
  for (const folder of [layout.temporary, layout.locks]) {
    for (const name of await readdir(folder)) await removeIfOlder(join(folder, name), oldest)
  }
}

async function removeIfOlder(path: string, oldest: number): Promise<void> {
  try {
    if ((await stat(path)).mtimeMs < oldest) await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
  }
}

import { mkdir, open, stat } from "node:fs/promises"
import { dirname } from "node:path"

/** For its owner only: histories hold secrets. */
const FOLDER_MODE = 0o700

/** Makes a folder and those above it that are missing. If `isDurable`, they are on the disk when it resolves. */
export async function makeFolder(path: string, isDurable: boolean): Promise<void> {
  if (await exists(path)) return
  // One by one: on a read-only file system a recursive mkdir fails with ENOENT instead of the true reason.
  await makeFolder(dirname(path), isDurable)
  try {
    await mkdir(path, { mode: FOLDER_MODE })
  } catch (error) {
    // Somebody else was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  if (isDurable) await synchronizeFolder(dirname(path))
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false
    throw error
  }
}

/** A folder is on the disk when its entry in the folder above it is. Windows has no means for that. */
async function synchronizeFolder(path: string): Promise<void> {
  if (process.platform === "win32") return
  const folder = await open(path, "r")
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

import { closeSync, fsyncSync, openSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Waits until the names in a folder are on the disk, and those of the folders above it up to one that was there before:
 * a file whose name is lost with the machine is lost.
 *
 * @param firstMade the topmost folder that was made on the way, if any
 */
export function syncFolders(folder: string, firstMade: string | undefined): void {
  // Windows has no way to sync a folder, and writes names with their files.
  if (process.platform === "win32") return
  const top = firstMade === undefined ? folder : dirname(firstMade)
  for (let current = folder; ; current = dirname(current)) {
    const handle = openSync(current, "r")
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    if (current === top || current === dirname(current)) return
  }
}

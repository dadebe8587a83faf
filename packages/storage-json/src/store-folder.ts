import { statSync } from "node:fs"
import { StorageError } from "@sessile/core/storage"
import { storageFault } from "./storage-fault.js"

/**
 * Refuses to call records absent when their whole store is: on a disk that was unmounted every record seems removed.
 *
 * @throws StorageError `IO` when the folder of the store is gone
 */
export function assertFolderExists(root: string): void {
  if (isFolder(root)) return
  const message = "The folder of the store is gone; mount or restore it, and open the store again"
  throw new StorageError("IO", message, { path: root })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch (error) {
    throw storageFault("reach the folder of the store", error, path)
  }
}

import { join } from "node:path"
import type { ForeignFile } from "@sessile/core/storage"
import { filesBelow } from "./files-below.js"
import type { Foreign } from "./folder-contents.js"
import { storageFault } from "./storage-fault.js"

/** Tells of what is no record, file by file. */
export function tellOf(
  { path, reason, isFolder }: Foreign,
  tell: ((file: ForeignFile) => void) | undefined,
): undefined | Promise<undefined> {
  if (tell === undefined) return undefined
  if (isFolder) return tellOfFolder(path, reason, tell)
  tell({ path, reason })
  return undefined
}

async function tellOfFolder(
  path: string,
  reason: string,
  tell: (file: ForeignFile) => void,
): Promise<undefined> {
  try {
    for (const file of await filesBelow(path)) {
      tell({ path: join(path, file.path), reason: `in a folder with ${reason}` })
    }
  } catch (error) {
    throw storageFault("list the folder", error, path)
  }
}

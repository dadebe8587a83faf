import { readdir } from "node:fs/promises"
import { join, relative, sep } from "node:path"

/** Something in a folder that is no folder itself. */
export interface FileBelow {
  /** From that folder, with `/`. */
  readonly path: string
  /** Not so for links, sockets and the like. */
  readonly isFile: boolean
}

/** Everything below a folder, whatever its name, in the order of paths. Links are not followed. */
export async function filesBelow(folder: string): Promise<FileBelow[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({
      path: relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"),
      isFile: entry.isFile(),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

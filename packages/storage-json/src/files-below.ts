import { EXTENSION } from "./file-name.js"

/** Something in a folder that is no folder itself, or is named like a record. */
export interface FileBelow {
  /** From that folder, with `/`. */
  readonly path: string
  /** Not so for folders, links, sockets and the like. */
  readonly isFile: boolean
}

/** Everything below a folder, whatever its name, in the order of paths. Links are not followed. */
export async function filesBelow(folder: string): Promise<FileBelow[]> {
  // Few stores need it, and all would have to wait for it.
  const { default: glob } = await import("fast-glob")
  const entries = await glob("**", {
    cwd: folder,
    dot: true,
    followSymbolicLinks: false,
    objectMode: true,
    onlyFiles: false,
  })
  return entries
    .filter(({ path, dirent }) => !dirent.isDirectory() || path.endsWith(EXTENSION))
    .map(({ path, dirent }) => ({ path, isFile: dirent.isFile() }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"

/** Tells whether anything in a folder has changed: names and contents of all files. */
export async function fingerprint(folder: string): Promise<string> {
  const hash = createHash("sha256")
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
  for (const { entry, path } of paths.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${relative(folder, path)}\0`)
    // Sizes keep the end of one file apart from the beginning of the next one.
    if (entry.isFile()) {
      const content = await readFile(path)
      hash.update(`${content.length}\0`).update(content)
    }
  }
  return hash.digest("hex")
}

import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

/**
 * Replaces a text by another one of the same length wherever it stands in the files of a folder, as a damaged disk or
 * another program does. Resolves with whether it stood anywhere.
 */
export async function alterFiles(folder: string, from: string, to: string): Promise<boolean> {
  const replacement = Buffer.from(to)
  let isFound = false
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    let position = content.indexOf(from)
    if (position < 0) continue
    isFound = true
    for (; position >= 0; position = content.indexOf(from, position + 1)) replacement.copy(content, position)
    await writeFile(path, content)
  }
  return isFound
}

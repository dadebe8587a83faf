import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Reads all files below a folder, one after another, and gives their number. */
export function readEveryFile(folder: string): number {
  let files = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      files += readEveryFile(path)
    } else {
      readFileSync(path)
      files++
    }
  }
  return files
}

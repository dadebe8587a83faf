import { readdirSync } from "node:fs"
import { sep } from "node:path"
import { type Shelf, type ShelvedFolder, StorageError } from "@sessile/core/storage"
import { EXTENSION } from "./file-name.js"
import { readPlain } from "./read-text.js"

/** Larger folders are left to those who give everybody else a turn meanwhile. */
const MOST_FILES = 1_000

/** The files of records with ids of opencode's, which need no closer look. */
const PLAIN_NAME = /^[a-z]+_[0-9A-Za-z]+\.json$/

/** The records in a folder, put on a shelf; `undefined` where there is anything but plain small records. */
export function readFolder(folder: string, shelf: Shelf): ShelvedFolder | undefined {
  try {
    const names = readdirSync(folder)
    if (names.length > MOST_FILES) return undefined
    const ids: string[] = []
    const contents: Buffer[] = []
    for (const name of names.sort()) {
      const content = PLAIN_NAME.test(name) ? readPlain(`${folder}${sep}${name}`, shelf) : undefined
      if (content === undefined) return undefined
      ids.push(name.slice(0, -EXTENSION.length))
      contents.push(content)
    }
    return { ids, contents }
  } catch (error) {
    // Whoever takes a closer look comes upon it too, and tells.
    if (error instanceof Error && ("syscall" in error || StorageError.is(error))) return undefined
    throw error
  }
}

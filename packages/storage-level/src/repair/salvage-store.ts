import { join } from "node:path"
import { readClosingNote } from "../files/closing-note.js"
import { Damage } from "../files/damage.js"
import { holdsRecords, padded, parseFileName } from "../files/file-names.js"
import { hasLostEdits, type Manifest, readManifest } from "../files/manifest.js"
import { partsOf, readFolder } from "../files/store-folder.js"
import { salvageLog } from "./salvage-log.js"
import { salvageTable } from "./salvage-table.js"
import type { Salvaged } from "./salvaged.js"

/** Everything in the given files of a store that is still readable, in no order. */
export async function* salvage(
  folder: string,
  names: readonly string[],
): AsyncGenerator<Salvaged, void, void> {
  for (const name of names) {
    const path = join(folder, name)
    const items = parseFileName(name)?.type === "log" ? salvageLog(path) : salvageTable(path)
    for await (const item of items) {
      yield item.type === "lost" ? { ...item, what: `${name}: ${item.what}` } : item
    }
  }
}

/** The files of a damaged store that hold its records. */
export interface FilesToSalvage {
  readonly names: readonly string[]
  /** What is known to be missing, in words. */
  readonly losses: readonly string[]
}

/**
 * The files that the MANIFEST names, so that nothing comes back that was removed; all that are there where that
 * cannot be read, or names files that are missing.
 */
export async function filesToSalvage(folder: string): Promise<FilesToSalvage> {
  const files = await readFolder(folder)
  const losses = await lostLogs(folder, files)
  const names = [...files.keys()].filter(holdsRecords)
  const manifest = await tryRead(() => readManifest(folder))
  try {
    if (manifest === undefined) return { names, losses }
    if (hasLostEdits(manifest, files))
      return { names, losses: [...losses, ...lostWithoutTable(manifest, files)] }
    const { tables, logs } = partsOf(manifest, files)
    return { names: [...tables.map(({ name }) => name), ...logs], losses }
  } catch (error) {
    if (error instanceof Damage) return { names, losses: [...losses, error.message] }
    throw error
  }
}

/** The logs that are missing, or shorter than they were; tables say themselves what is missing in them. */
async function lostLogs(folder: string, files: ReadonlyMap<string, number>): Promise<string[]> {
  const note = await tryRead(() => readClosingNote(folder, files))
  const sizes = Object.entries(note?.sizes ?? {})
  return sizes.flatMap(([name, noted]) => {
    const size = files.get(name)
    if (parseFileName(name)?.type !== "log" || (size ?? -1) >= noted) return []
    return [size === undefined ? `${name} is missing` : `${name} has lost ${noted - size} bytes`]
  })
}

/** The log that a MANIFEST names, if it is missing and there is no table that it may have gone to. */
function lostWithoutTable(manifest: Manifest, files: ReadonlyMap<string, number>): string[] {
  const known = new Set(manifest.tables.map(({ number }) => number))
  const numbered = [...files.keys()].map(parseFileName)
  const isElsewhere = numbered.some((file) => file?.type === "table" && !known.has(file.number))
  return isElsewhere ? [] : [`${padded(manifest.logNumber)}.log is missing`]
}

async function tryRead<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Damage || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

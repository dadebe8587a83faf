import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { type ClosingNote, readClosingNote } from "./closing-note.js"
import { Damage } from "./damage.js"
import { holdsRecords } from "./file-names.js"
import { FileWindow } from "./file-window.js"
import { readLog } from "./log-file.js"
import { hasLostEdits, type Manifest, readManifest } from "./manifest.js"
import { isHalfRepaired } from "./repair-folders.js"
import { partsOf, readFolder } from "./store-folder.js"
import { checkTable } from "./table.js"

type Files = ReadonlyMap<string, number>

/**
 * Reads all files of a closed store, and refuses one of which LevelDB would silently drop a part. What a process
 * leaves that is killed at any moment passes: a log or MANIFEST that ends within a record, tables that are in no
 * MANIFEST because their logs or their inputs still count, files that are no longer needed.
 *
 * @returns what cannot be told from the traces of a killed process, in words
 * @throws Damage for a damaged store
 */
export async function checkStore(folder: string): Promise<readonly string[]> {
  if (isHalfRepaired(await readdir(folder))) throw new Damage("its repair was cut short")
  const files = await readFolder(folder)
  if (!files.has("CURRENT")) {
    // LevelDB would begin anew and remove the files of records as leftovers.
    if ([...files.keys()].some(holdsRecords)) throw new Damage("its file CURRENT is missing")
    return []
  }
  const manifest = await readManifest(folder)
  if (hasLostEdits(manifest, files)) throw new Damage(`${manifest.name} does not fit the other files`)
  const note = await countingNote(folder, manifest, files)
  const { tables, logs } = partsOf(manifest, files)
  for (const { name, size } of tables) await checkNamed(folder, name, files.get(name) === size)
  return checkLogs(folder, logs, files, note)
}

/** The note of the last closing, unless the store was opened since. */
async function countingNote(
  folder: string,
  manifest: Manifest,
  files: Files,
): Promise<ClosingNote | undefined> {
  const note = await readClosingNote(folder, files)
  const noted = note?.sizes[manifest.name]
  const size = files.get(manifest.name) ?? 0
  // One that has grown belongs to somebody who opened the store while the note was written.
  if (note?.manifest !== manifest.name || noted === undefined || size > noted) return undefined
  for (const [name, least] of Object.entries(note.sizes)) {
    if ((files.get(name) ?? -1) < least)
      throw new Damage(`${name} is not as it was when the store was closed`)
  }
  return note
}

async function checkNamed(folder: string, name: string, hasRightSize: boolean): Promise<void> {
  if (!hasRightSize) throw new Damage(`${name} does not have the size that its MANIFEST names`)
  try {
    await checkTable(join(folder, name))
  } catch (error) {
    throw error instanceof Damage ? new Damage(`${name}: ${error.message}`) : error
  }
}

async function checkLogs(
  folder: string,
  logs: readonly string[],
  files: Files,
  note: ClosingNote | undefined,
): Promise<string[]> {
  const findings: string[] = []
  // One that was begun at an opening that was cut short is empty.
  const last = logs.findLast((name) => files.get(name) !== 0)
  for (const name of logs) {
    await using file = await FileWindow.open(join(folder, name))
    for await (const { type } of readLog(file, false)) {
      const isComplete = name !== last || note?.sizes[name] === file.size
      if (type === "damaged" || (type === "torn" && isComplete)) throw new Damage(`${name} is damaged`)
      if (type === "torn") findings.push(tornLog(name))
    }
  }
  return findings
}

function tornLog(name: string): string {
  return `The last change in ${name} is incomplete and was dropped: the process that wrote it was killed, or the file was cut off`
}

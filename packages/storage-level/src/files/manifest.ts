import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Damage } from "./damage.js"
import { padded, parseFileName } from "./file-names.js"
import { FileWindow } from "./file-window.js"
import { readLog } from "./log-file.js"
import { parseVersionEdit, type TableEntry, type VersionEdit } from "./version-edit.js"

/** What a database consists of. */
export interface Manifest {
  /** The name of its file. */
  readonly name: string
  /** What older logs held is in tables; this log and newer ones are not. 0 where there is none yet. */
  readonly logNumber: number
  readonly tables: readonly TableEntry[]
}

/**
 * Reads the MANIFEST that CURRENT names.
 *
 * @throws Damage where LevelDB refuses it, and where it silently skips over a part
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const name = await currentName(folder)
  const tables = new Map<string, TableEntry>()
  const last: Omit<VersionEdit, "added" | "removed"> = {}
  await using file = await FileWindow.open(join(folder, name))
  for await (const item of readLog(file)) {
    if (item.type === "damaged") throw new Damage(`${name} is damaged`)
    // An edit that is not there to its end has not happened: nothing was removed because of it.
    if (item.type === "torn") continue
    const { added, removed, ...rest } = parseVersionEdit(Buffer.concat(item.pieces))
    for (const table of removed) tables.delete(idOf(table))
    for (const table of added) tables.set(idOf(table), table)
    Object.assign(last, rest)
  }
  const { logNumber, nextFileNumber, lastSequence } = last
  if (logNumber === undefined || nextFileNumber === undefined || lastSequence === undefined) {
    throw new Damage(`${name} is incomplete`)
  }
  return { name, logNumber, tables: [...tables.values()] }
}

/**
 * Whether a MANIFEST has lost its last edits, so that it looks like that of an earlier moment. But the log that it
 * names is removed only after an edit that names a later one, and no table is made before there is a log. Where edits
 * are lost that say that tables were replaced, those tables are missing.
 */
export function hasLostEdits({ logNumber, tables }: Manifest, files: ReadonlyMap<string, number>): boolean {
  if (logNumber !== 0) return !files.has(`${padded(logNumber)}.log`)
  const known = new Set(tables.map(({ number }) => number))
  return [...files.keys()].some((name) => {
    const file = parseFileName(name)
    return file?.type === "table" && !known.has(file.number)
  })
}

/** The name of the current MANIFEST, which is all that CURRENT holds. */
export async function currentName(folder: string): Promise<string> {
  const content = await readFile(join(folder, "CURRENT"), "latin1")
  const name = /^(MANIFEST-\d+)\n$/.exec(content)?.[1]
  if (name === undefined) throw new Damage("its file CURRENT does not name a MANIFEST")
  return name
}

function idOf({ level, number }: Omit<TableEntry, "size">): string {
  return `${level} ${number}`
}

import { open, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Damage } from "./damage.js"
import { readManifest } from "./manifest.js"
import { partsOf, readFolder } from "./store-folder.js"

/** The file in the folder of a store that says how large the others were when it was closed. */
export const CLOSING_NOTE = "CLOSED"

/** The files of a store when it was closed. LevelDB begins another MANIFEST when it opens the store again. */
export interface ClosingNote {
  readonly manifest: string
  /** By name. */
  readonly sizes: Readonly<Record<string, number>>
}

/**
 * Records which files a store consists of, after LevelDB has closed it. Without that, a log that was cut off later
 * looks like the log of a process that was killed. A note that cannot be written is missing, as after a crash.
 */
export async function noteClosing(folder: string): Promise<void> {
  try {
    await writeNote(folder)
  } catch (error) {
    const isFromFileSystem = (error as NodeJS.ErrnoException).code !== undefined
    if (!isFromFileSystem && !(error instanceof Damage)) throw error
  }
}

async function writeNote(folder: string): Promise<void> {
  const manifest = await readManifest(folder)
  const files = await readFolder(folder)
  const { tables, logs } = partsOf(manifest, files)
  // The note must not reach the disk before what it vouches for.
  for (const name of logs) await synchronize(join(folder, name))
  const names = [manifest.name, ...tables.map(({ name }) => name), ...logs]
  const sizes = Object.fromEntries(names.map((name) => [name, files.get(name) ?? 0]))
  const note: ClosingNote = { manifest: manifest.name, sizes }
  const path = join(folder, CLOSING_NOTE)
  await writeFile(`${path}.new`, JSON.stringify(note), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** The note of a store; `undefined` where there is none. @throws Damage for one that cannot be parsed */
export async function readClosingNote(
  folder: string,
  files: ReadonlyMap<string, number>,
): Promise<ClosingNote | undefined> {
  if (!files.has(CLOSING_NOTE)) return undefined
  const note = parse(await readFile(join(folder, CLOSING_NOTE), "utf8"))
  if (typeof note?.manifest === "string" && typeof note.sizes === "object" && note.sizes !== null) {
    return note as ClosingNote
  }
  throw new Damage(`its file ${CLOSING_NOTE} is damaged`)
}

function parse(text: string): Partial<ClosingNote> | null {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

async function synchronize(path: string): Promise<void> {
  const file = await open(path, "r+")
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

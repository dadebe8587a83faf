import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { CLOSING_NOTE } from "../files/closing-note.js"
import { parseFileName } from "../files/file-names.js"
import { REPAIR_FOLDERS } from "../files/repair-folders.js"

/** The folder within a store that keeps what was replaced. */
const LOST = "lost"

const { building, built, ready } = REPAIR_FOLDERS

/** Declares the new database complete: a repair that is cut short later goes on from there. */
export async function finishBuilding(folder: string): Promise<void> {
  await rename(join(folder, building), join(folder, built))
}

/** Puts the files of the new database in the place of the old ones. Goes on where it was cut short. */
export async function replaceFiles(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.includes(built)) {
    await mkdir(join(folder, LOST), { recursive: true, mode: 0o700 })
    for (const name of storeFiles(names)) await keep(folder, name)
    await rename(join(folder, built), join(folder, ready))
  }
  for (const name of storeFiles(await readdir(join(folder, ready)))) {
    await rename(join(folder, ready, name), join(folder, name))
  }
  await rm(join(folder, ready), { recursive: true })
}

async function keep(folder: string, name: string): Promise<void> {
  const kept = new Set(await readdir(join(folder, LOST)))
  let target = name
  for (let number = 2; kept.has(target); number++) target = `${name}.${number}`
  await rename(join(folder, name), join(folder, LOST, target))
}

function storeFiles(names: readonly string[]): string[] {
  return names.filter((name) => name === "CURRENT" || name === CLOSING_NOTE || parseFileName(name))
}

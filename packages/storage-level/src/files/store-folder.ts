import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { Damage } from "./damage.js"
import { padded, parseFileName } from "./file-names.js"
import type { Manifest } from "./manifest.js"

/** The sizes of the files in a folder, by name. @throws Damage where a file of LevelDB is something else */
export async function readFolder(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for (const name of await readdir(folder)) {
    const stats = await statOf(join(folder, name))
    if (stats?.isFile()) sizes.set(name, stats.size)
    else if (stats && (name === "CURRENT" || parseFileName(name))) throw new Damage(`${name} is not a file`)
  }
  return sizes
}

/** The names of the files that LevelDB reads when it opens a store. */
export interface StoreParts {
  /** As the MANIFEST lists them. */
  readonly tables: readonly { readonly name: string; readonly size: number }[]
  /** Those that are in no table yet, the oldest first. */
  readonly logs: readonly string[]
}

/** @throws Damage where a part is missing */
export function partsOf(manifest: Manifest, files: ReadonlyMap<string, number>): StoreParts {
  const tables = manifest.tables.map(({ number, size }) => {
    const name = `${padded(number)}.ldb`
    const former = `${padded(number)}.sst`
    return { name: !files.has(name) && files.has(former) ? former : name, size }
  })
  const missing = tables.filter(({ name }) => !files.has(name)).map(({ name }) => name)
  if (missing.length > 0) throw new Damage(`${missing.join(", ")} missing`)
  const numbers = [...files.keys()].flatMap((name) => {
    const file = parseFileName(name)
    return file?.type === "log" && file.number >= manifest.logNumber ? [file.number] : []
  })
  const logs = numbers.toSorted((a, b) => a - b).map((number) => `${padded(number)}.log`)
  return { tables, logs }
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

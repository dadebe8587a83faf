import { readdir, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { opencodePaths } from "@sessile/core/paths"
import { StorageError } from "@sessile/core/storage"
import { isVacant, lookAt } from "../stores/findings.js"
import { findJsonPlaces } from "../stores/json-places.js"
import { opencodeKind } from "../stores/opencode-kind.js"
import type { StoreAddress } from "../stores/store-address.js"

/** Where a history is stranded, and where it belongs. */
export interface RescuePlaces {
  /** The JSON files. */
  readonly source: StoreAddress
  /** The database that opencode opens. */
  readonly target: StoreAddress
  /** Whether the database is still to be made. */
  readonly isNew: boolean
  /** Other databases of opencode's in its data folder. */
  readonly others: readonly string[]
}

/** Where to look, as far as somebody says so. */
export interface RescueHints {
  /** opencode's data folder. */
  readonly data?: string
  readonly database?: string
}

/**
 * Finds the JSON files in opencode's data folder, and the database: the one that is named, on the command line or by
 * `OPENCODE_DB`, else the one that was used last of all that releases of any channel have left there.
 *
 * @throws StorageError `NOT_FOUND` without JSON files, with the places that were looked at
 */
export async function findRescuePlaces(hints: RescueHints): Promise<RescuePlaces> {
  const folder = hints.data === undefined ? opencodePaths().data : resolve(hints.data)
  const json = await findJsonPlaces(folder)
  if (json === undefined) {
    const looked = `looked for ${join(folder, "storage")} and ${join(folder, "project")}`
    const message = `There are no JSON files of opencode; ${looked}. Name its data folder with --data`
    throw new StorageError("NOT_FOUND", message, { path: folder })
  }
  // Whoever names the folder of the files itself means the data folder around it.
  const data = json.storage === folder ? dirname(folder) : folder
  const { path, others } = await findDatabase(data, hints.database)
  return {
    source: { kind: "json", path: folder },
    target: { kind: "opencode", path },
    isNew: isVacant(await lookAt(path)),
    others,
  }
}

async function findDatabase(
  data: string,
  named: string | undefined,
): Promise<{ path: string; others: string[] }> {
  if (named !== undefined) return { path: resolve(named), others: [] }
  const usual = opencodePaths({ variables: { ...process.env, OPENCODE_DATA_DIR: data } }).database
  if (process.env.OPENCODE_DB) return { path: usual, others: [] }
  const found: { path: string; used: number }[] = []
  for (const name of (await readdir(data)).filter((name) => /^opencode(-.+)?\.db$/.test(name))) {
    const path = join(data, name)
    const findings = await lookAt(path)
    if (findings !== undefined && (await opencodeKind.recognises(findings))) {
      found.push({ path, used: await lastUse(path) })
    }
  }
  const [newest, ...others] = found.sort((a, b) => b.used - a.used)
  return { path: newest?.path ?? usual, others: others.map(({ path }) => path) }
}

// What was written last is in the log first.
async function lastUse(path: string): Promise<number> {
  const times = await Promise.all([path, `${path}-wal`].map(timeOfChange))
  return Math.max(...times)
}

async function timeOfChange(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    return 0
  }
}

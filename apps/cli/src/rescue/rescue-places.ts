import { resolve } from "node:path"
import { opencodePaths } from "@sessile/core/paths"
import { StorageError } from "@sessile/core/storage"
import { isVacant, lookAt } from "../stores/findings.js"
import { findJsonPlaces } from "../stores/json-places.js"
import { databaseFiles, otherThanFile } from "../stores/opencode-databases.js"
import { refuseOverlap } from "../stores/refuse-overlap.js"
import type { StoreAddress } from "../stores/store-address.js"

/** Where the JSON files of a history are, and the database that its sessions belong into. */
export interface RescuePlaces {
  /** The JSON files. */
  readonly source: StoreAddress
  /** The database to bring sessions into. */
  readonly target: StoreAddress
  /** Whether the database does not exist yet. */
  readonly isNew: boolean
  /** Whether opencode opens this database without being told to. */
  readonly isOpenedByDefault: boolean
  /** Other databases in opencode's data folder. */
  readonly others: readonly string[]
  /** Files that are named like a database of opencode's and are not one. */
  readonly skipped: readonly SkippedFile[]
}

/** A file that is passed over, and why. */
export interface SkippedFile {
  readonly path: string
  readonly reason: string
}

/** Where to look, as far as the command line says so. */
export interface RescueHints {
  /** The folder with the JSON files: opencode's data folder, or a backup of it. */
  readonly data?: string
  readonly database?: string
}

/**
 * Finds the JSON files, by default in opencode's data folder, and the database: the named one, else the one that the
 * user's opencode opens, wherever the JSON files are.
 *
 * @throws StorageError `NOT_FOUND` without JSON files, with the folder that was searched; UsageError for a database
 * among the JSON files
 */
export async function findRescuePlaces(hints: RescueHints): Promise<RescuePlaces> {
  const folder = hints.data === undefined ? opencodePaths().data : resolve(hints.data)
  const json = await findJsonPlaces(folder)
  if (json === undefined) {
    const message = `No JSON files of opencode in ${folder}: neither "storage" nor "project" in it holds sessions. Name the folder that has them with --data`
    throw new StorageError("NOT_FOUND", message, { path: folder })
  }
  const { path, others, skipped } = await chooseDatabase(hints.database)
  const target = { kind: "opencode", path }
  for (const read of [json.storage, json.legacy]) {
    if (read !== undefined) await refuseOverlap({ kind: "json", path: read }, target, [])
  }
  return {
    source: { kind: "json", path: folder },
    target,
    isNew: isVacant(await lookAt(path)),
    isOpenedByDefault: path === resolve(opencodePaths().database),
    others,
    skipped,
  }
}

interface ChosenDatabase {
  readonly path: string
  readonly others: readonly string[]
  readonly skipped: readonly SkippedFile[]
}

async function chooseDatabase(named: string | undefined): Promise<ChosenDatabase> {
  const { data, database } = opencodePaths()
  const chosen = named ?? (process.env.OPENCODE_DB ? database : undefined)
  const found = chosen === undefined ? await lastUsed(data, resolve(database)) : { path: resolve(chosen) }
  const other = await otherThanFile(found.path)
  if (other === undefined) return { others: [], skipped: [], ...found }
  throw new StorageError("INVALID_ARGUMENT", `The database must be a file, and this is ${other}`, {
    path: found.path,
  })
}

/** @param usual what opencode opens by default: what is wrong with it is an error, any other file is skipped */
async function lastUsed(data: string, usual: string): Promise<ChosenDatabase> {
  const files = await databaseFiles(data)
  for (const { path, error } of files) if (path === usual && error !== undefined) throw error
  const [path = usual, ...others] = files.filter(({ reason }) => reason === undefined).map(({ path }) => path)
  const skipped = files.flatMap(({ path, reason }) =>
    reason === undefined || path === usual ? [] : [{ path, reason }],
  )
  return { path, others, skipped }
}

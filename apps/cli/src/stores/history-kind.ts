import { join } from "node:path"
import { StorageError, type TextStorage } from "@sessile/core/storage"
import { CombinedStorage, sessionIds } from "./combined-storage.js"
import { jsonKind, openJson } from "./json-kind.js"
import { findJsonPlaces, type JsonPlaces } from "./json-places.js"
import { configuredDatabase, findDatabases } from "./opencode-databases.js"
import { opencodeKind } from "./opencode-kind.js"
import type { StoreAddress } from "./store-address.js"
import type { StoreKind, StorePart } from "./store-kind.js"

/** Where the parts of a history are. */
interface History {
  /** Those whose records come first come first. */
  readonly databases: readonly string[]
  readonly json: JsonPlaces | undefined
}

/**
 * All that opencode keeps in its data folder, for reading: its databases and its JSON files of any age. A record in several
 * of them is that of the database of `OPENCODE_DB`, then of the database that was used last, then of the other databases,
 * then of the JSON files; a session is the same by its id.
 */
export const historyKind: StoreKind = {
  description: "opencode's data folder: its databases and its JSON files together",
  medium: "folder",
  isUsuallySource: true,
  threads: 1,
  recognises: async ({ path, names }) =>
    names !== undefined && (await findHistory(path)).databases.length > 0,
  openForReading: async (path) => combine(await openParts(path)),
  parts: async (path) => {
    const parts: StorePart[] = []
    const seen = new Set<string>()
    for (const { address, storage } of await openParts(path)) {
      await using part = storage
      const ids = await sessionIds(part)
      const added = [...ids].filter((id) => !seen.has(id))
      for (const id of added) seen.add(id)
      parts.push({ address, sessions: ids.size, added: added.length })
    }
    return parts
  },
  describe: async (path) => {
    const { databases, json } = await findHistory(path)
    const described = await Promise.all([
      ...databases.map((database) => opencodeKind.describe(database)),
      ...(json === undefined ? [] : [jsonKind.describe(path)]),
    ])
    const layout = described.map((part) => part.layout).join(" and ")
    const version = json === undefined ? undefined : described.at(-1)?.version
    return { layout: `data folder of opencode: ${layout}`, version, schema: described[0]?.schema }
  },
}

interface OpenPart {
  readonly address: StoreAddress
  readonly storage: TextStorage
}

async function findHistory(folder: string): Promise<History> {
  const configured = await configuredDatabase(folder)
  const found = (await findDatabases(folder)).filter((path) => path !== configured)
  return {
    databases: configured === undefined ? found : [configured, ...found],
    json: await findJsonPlaces(folder),
  }
}

async function openParts(path: string): Promise<OpenPart[]> {
  const { databases, json } = await findHistory(path)
  if (databases.length === 0 && json === undefined) throw noHistory(path)
  const parts: OpenPart[] = []
  try {
    const { OpencodeStorage } = await import("@sessile/opencode-db")
    for (const database of databases) {
      const storage = await OpencodeStorage.open({ path: database, readonly: true })
      parts.push({ address: { kind: "opencode", path: database }, storage })
    }
    if (json === undefined) return parts
    const known = await Promise.all(parts.map(({ storage }) => sessionIds(storage)))
    const storage = await openJson(json, new Set(known.flatMap((ids) => [...ids])))
    return [...parts, { address: { kind: "json", path }, storage }]
  } catch (error) {
    for (const { storage } of parts) await storage.close()
    throw error
  }
}

async function combine([first, ...others]: readonly OpenPart[]): Promise<TextStorage> {
  let combined = (first as OpenPart).storage
  for (const { storage } of others) {
    combined = new CombinedStorage(combined, storage, await sessionIds(combined))
  }
  return combined
}

/** That a data folder holds no history. */
export function noHistory(folder: string): StorageError {
  const looked = ["opencode*.db", "storage", "project"].map((name) => join(folder, name)).join(", ")
  const message = `No history of opencode found; looked for ${looked}. Name a store, or set OPENCODE_DATA_DIR or XDG_DATA_HOME`
  return new StorageError("NOT_FOUND", message, { path: folder })
}

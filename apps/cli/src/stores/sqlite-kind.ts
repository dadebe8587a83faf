import { standardIndexes } from "@sessile/core/storage"
import { quoteArgument } from "../output/quote-argument.js"
import { isVacant, lookAt, readHeader } from "./findings.js"
import type { StoreKind } from "./store-kind.js"

const MAGIC = "SQLite format 3\0"

/** "SESS", which Sessile's databases have at this place of their header. */
const APPLICATION_ID = { offset: 68, value: 0x53455353 }

const USER_VERSION_OFFSET = 60

/** One SQLite file of Sessile's. */
export const sqliteKind: StoreKind = {
  description: "one SQLite file that SQL tools can query",
  medium: "file",
  newFile: /\.(db|sqlite3?)$/i,
  threads: 1,
  recognises: async ({ header }) => header !== undefined && isSqlite(header) && isSessile(header),
  load: () => engine(),
  openForReading: async (path) => (await engine()).SqliteStorage.open({ path, untouched: true }),
  openForWriting: async (path) => {
    // The indexes of a store are those of the applications that use it.
    const indexes = isVacant(await lookAt(path)) ? standardIndexes : []
    return { storage: await (await engine()).SqliteStorage.open({ path, indexes }) }
  },
  describe: async (path) => {
    const header = await readHeader(path)
    return {
      layout: "SQLite database of Sessile",
      version: isSqlite(header) ? header.readUInt32BE(USER_VERSION_OFFSET) : undefined,
    }
  },
  lookCommand: (path) =>
    `sqlite3 ${quoteArgument(path)} "select updated, title from sessions order by 1 desc limit 9"`,
}

// Whoever does not use it need not wait for it, nor have it built.
const engine = () => import("@sessile/storage-sqlite")

/** Whether a file is an SQLite database, whosever it is. */
export function isSqlite(header: Buffer): boolean {
  return header.length >= 100 && header.toString("latin1", 0, MAGIC.length) === MAGIC
}

/** Whether an SQLite database is Sessile's. */
export function isSessile(header: Buffer): boolean {
  return header.readUInt32BE(APPLICATION_ID.offset) === APPLICATION_ID.value
}

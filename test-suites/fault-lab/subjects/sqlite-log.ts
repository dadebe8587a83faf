import { cp } from "node:fs/promises"
import { join } from "node:path"
import { fillStore, type Subject } from "@sessile/fault-lab"
import { temporaryFolder } from "@sessile/fixtures"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { subject as closed } from "./sqlite.js"

/** A database with its write-ahead log, as a killed process leaves it. */
export const subject: Subject = {
  ...closed,
  name: "SqliteStorage, killed",
  module: import.meta.url,
  prepare: async (folder) => {
    await using writing = await temporaryFolder()
    await using storage = await SqliteStorage.open({ path: join(writing.path, "store.db") })
    await fillStore(storage)
    await cp(writing.path, folder, { recursive: true })
  },
  isLog: (name) => name.endsWith("-wal"),
}

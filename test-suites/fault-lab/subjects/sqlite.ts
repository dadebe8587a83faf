import { join } from "node:path"
import { fillStore, type Subject } from "@sessile/fault-lab"
import { SqliteStorage } from "@sessile/storage-sqlite"

export const subject: Subject = {
  name: "SqliteStorage",
  module: import.meta.url,
  prepare: async (folder) => {
    await using storage = await SqliteStorage.open({ path: join(folder, "store.db") })
    await fillStore(storage)
  },
  open: (folder, { readonly }) =>
    SqliteStorage.open({ path: join(folder, "store.db"), ...(readonly ? { untouched: true } : {}) }),
  address: (folder) => `sqlite:${join(folder, "store.db")}`,
}

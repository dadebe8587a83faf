import { fillStore, type Subject } from "@sessile/fault-lab"
import { LevelStorage } from "@sessile/storage-level"

export const subject: Subject = {
  name: "LevelStorage",
  module: import.meta.url,
  prepare: async (folder) => {
    await using storage = await LevelStorage.open({ path: folder })
    await fillStore(storage)
    // What was in the log goes to a table.
    await storage.flush()
  },
  open: (folder, { readonly }) => LevelStorage.open({ path: folder, readonly }),
  address: (folder) => `level:${folder}`,
  isLog: (name) => name.endsWith(".log"),
}

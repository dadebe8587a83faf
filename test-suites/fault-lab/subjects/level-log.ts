import { fillStore, type Subject } from "@sessile/fault-lab"
import { LevelStorage } from "@sessile/storage-level"
import { subject as flushed } from "./level.js"

/** A store whose records are in the log, as a killed process leaves it. */
export const subject: Subject = {
  ...flushed,
  name: "LevelStorage, killed",
  module: import.meta.url,
  prepare: async (folder) => {
    await using storage = await LevelStorage.open({ path: folder })
    await fillStore(storage)
  },
}

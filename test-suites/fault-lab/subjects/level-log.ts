import { cp } from "node:fs/promises"
import { fillStore, type Subject } from "@sessile/fault-lab"
import { temporaryFolder } from "@sessile/fixtures"
import { LevelStorage } from "@sessile/storage-level"
import { subject as closed } from "./level.js"

/** A store whose records are in the log, as a killed process leaves it. */
export const subject: Subject = {
  ...closed,
  name: "LevelStorage, killed",
  module: import.meta.url,
  prepare: async (folder) => {
    await using writing = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: writing.path })
    await fillStore(storage)
    await cp(writing.path, folder, { recursive: true })
  },
}

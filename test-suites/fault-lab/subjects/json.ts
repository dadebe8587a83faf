import { fillStore, type Subject } from "@sessile/fault-lab"
import { JsonStorage } from "@sessile/storage-json"

export const subject: Subject = {
  name: "JsonStorage",
  module: import.meta.url,
  prepare: async (folder) => {
    await using storage = await JsonStorage.open({ path: folder })
    await fillStore(storage)
  },
  open: (folder, { readonly }) => JsonStorage.open({ path: folder, readonly }),
  address: (folder) => `json:${folder}`,
  undetectable: "opencode's JSON files hold no checksums",
}

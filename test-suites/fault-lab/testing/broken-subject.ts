import { basename } from "node:path"
import type { Entry, Storage } from "@sessile/core/storage"
import { fillStore, type Subject } from "@sessile/fault-lab"
import { JsonStorage } from "@sessile/storage-json"

/** A subject that behaves as long as its store is intact, and badly with a damaged one. */
export function brokenSubject(
  module: string,
  misbehave: (storage: JsonStorage, folder: string) => Storage,
): Subject {
  return {
    name: basename(module),
    module,
    undetectable: "JSON files hold no checksums",
    prepare: async (folder) => {
      await using storage = await JsonStorage.open({ path: folder })
      await fillStore(storage)
    },
    open: async (folder) => {
      const storage = await JsonStorage.open({ path: folder, readonly: true })
      return basename(folder) === "damaged" ? misbehave(storage, folder) : storage
    },
  }
}

/** The store with all records as `change` makes them. */
export function withEntries(
  storage: JsonStorage,
  change: (entry: Entry<unknown>) => readonly Entry<unknown>[],
): Storage {
  const scan = storage.scan.bind(storage)
  storage.scan = async function* <T>() {
    for await (const entry of scan<T>([], { onCorrupt: () => undefined })) {
      yield* change(entry) as readonly Entry<T>[]
    }
  }
  return storage
}

import type { Harness } from "@sessile/conformance"
import { SqliteStorage } from "@sessile/storage-sqlite"

export const harness: Harness = {
  name: "SqliteStorage",
  module: import.meta.url,
  create: ({ folder }) => SqliteStorage.open({ path: `${folder}/store.db` }),
  reopen: ({ folder }, { readonly }) => SqliteStorage.open({ path: `${folder}/store.db`, readonly }),
}

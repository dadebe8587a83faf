import type { Harness } from "@sessile/conformance"
import { JsonStorage } from "@sessile/storage-json"

export const harness: Harness = {
  name: "JsonStorage",
  module: import.meta.url,
  create: ({ folder }) => JsonStorage.open({ path: folder }),
  reopen: ({ folder }, { readonly }) => JsonStorage.open({ path: folder, readonly }),
}

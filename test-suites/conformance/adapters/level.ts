import type { Harness } from "@sessile/conformance"
import { LevelStorage } from "@sessile/storage-level"

export const harness: Harness = {
  name: "LevelStorage",
  module: import.meta.url,
  create: ({ folder }) => LevelStorage.open({ path: folder }),
  reopen: ({ folder }, options) => LevelStorage.open({ path: folder, ...options }),
}

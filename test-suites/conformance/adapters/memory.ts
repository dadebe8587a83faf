import type { Harness } from "@sessile/conformance"
import { MemoryStorage } from "@sessile/core/storage"

export const harness: Harness = {
  name: "MemoryStorage",
  module: import.meta.url,
  create: async () => new MemoryStorage(),
}

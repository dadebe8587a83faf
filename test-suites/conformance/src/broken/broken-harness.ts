import { MemoryStorage, type Storage } from "@sessile/core/storage"
import { JsonStorage } from "@sessile/storage-json"
import type { Harness, Place } from "../harness.js"
import type { BrokenAdapter } from "./broken-adapter.js"
import { brokenAdapters } from "./broken-adapters.js"

/** The harness of a broken adapter; other processes find it by the name in this module's address. */
export function brokenHarness(adapter: BrokenAdapter): Harness {
  const url = new URL("broken-harness.js", builtModules)
  url.searchParams.set("adapter", adapter.name)
  const wrap = async (opening: Promise<Storage>, place: Place, reopened: boolean) =>
    adapter.wrap(await opening, { place, reopened })
  const harness: Harness = {
    name: adapter.name,
    module: url.href,
    create: (place) => wrap(openSound(adapter, place, false), place, false),
  }
  if (adapter.over === "memory") return harness
  return {
    ...harness,
    reopen: (place, { readonly }) => wrap(openSound(adapter, place, readonly), place, true),
  }
}

// Child processes cannot load TypeScript from the sources, whoever loaded this module.
const builtModules = new URL("../../dist/broken/", import.meta.url)

async function openSound(adapter: BrokenAdapter, place: Place, readonly: boolean): Promise<Storage> {
  return adapter.over === "memory" ? new MemoryStorage() : JsonStorage.open({ path: place.folder, readonly })
}

const named = brokenAdapters.find(({ name }) => name === new URL(import.meta.url).searchParams.get("adapter"))

/** The adapter that the address of this module names. */
export const harness = named === undefined ? undefined : brokenHarness(named)

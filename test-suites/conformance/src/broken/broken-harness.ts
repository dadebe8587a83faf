import { MemoryStorage, type Storage } from "@sessile/core/storage"
import { JsonStorage } from "@sessile/storage-json"
import type { Harness, Place } from "../harness.js"
import type { BrokenAdapter } from "./broken-adapter.js"
import { brokenAdapters } from "./broken-adapters.js"
import { harnessAddress, nameIn } from "./harness-address.js"
import { networkHarness } from "./network/network-harness.js"

/** The harness of a broken adapter; other processes find it by the name in this module's address. */
export function brokenHarness(adapter: BrokenAdapter): Harness {
  const sound = soundHarnesses[adapter.over]
  const { reopen } = sound
  const wrap = async (opening: Promise<Storage>, place: Place, reopened: boolean) =>
    adapter.wrap(await opening, { place, reopened })
  return {
    ...sound,
    name: adapter.name,
    module: harnessAddress("broken-harness.js", adapter.name),
    create: (place) => wrap(sound.create(place), place, false),
    ...(reopen && { reopen: (place, options) => wrap(reopen(place, options), place, true) }),
  }
}

const soundHarnesses: Readonly<Record<BrokenAdapter["over"], Omit<Harness, "name" | "module">>> = {
  memory: { create: async () => new MemoryStorage() },
  files: {
    create: ({ folder }) => JsonStorage.open({ path: folder }),
    reopen: ({ folder }, { readonly }) => JsonStorage.open({ path: folder, readonly }),
  },
  network: networkHarness(),
}

const named = brokenAdapters.find(({ name }) => name === nameIn(import.meta.url))

/** The adapter that the address of this module names. */
export const harness = named === undefined ? undefined : brokenHarness(named)

import type { Storage } from "@sessile/core/storage"
import type { Harness, Place } from "../../harness.js"
import { harnessAddress, nameIn } from "../harness-address.js"
import type { NetworkMutant } from "./network-mutant.js"
import { networkMutants } from "./network-mutants.js"
import { NetworkStorage } from "./network-storage.js"
import { NetworkServer } from "./server.js"
import { connectTo, listen } from "./wire.js"

const sound: NetworkMutant = { name: "a sound networked adapter", caughtBy: [] }

const servers = new Map<string, { readonly server: NetworkServer; readonly close: () => Promise<void> }>()

/** The harness of the networked adapter, or of a mutant; its servers live in the process that creates the stores. */
export function networkHarness(mutant: NetworkMutant = sound): Harness & Required<Pick<Harness, "reopen">> {
  const Adapter = mutant.storage ?? NetworkStorage
  const Server = mutant.server ?? NetworkServer
  const open = async (place: Place, readonly: boolean): Promise<Storage> => {
    const local = servers.get(place.folder)
    return new Adapter(local?.server.connect() ?? (await connectTo(addressOf(place))), readonly)
  }
  return {
    name: mutant.name,
    module: harnessAddress("network/network-harness.js", mutant.name),
    create: async (place) => {
      const server = new Server()
      servers.set(place.folder, { server, close: await listen(server, addressOf(place)) })
      return open(place, false)
    },
    reopen: (place, { readonly }) => open(place, readonly),
    destroy: async ({ folder }) => {
      await servers.get(folder)?.close()
      servers.delete(folder)
    },
    breakDown: async ({ folder }, { after }) => {
      const server = servers.get(folder)?.server
      server?.breakDown(after)
      return async () => server?.mend()
    },
    openResources: async ({ folder }) => servers.get(folder)?.server.openResources ?? 0,
  }
}

// Beside the folder: the store keeps nothing in it.
function addressOf({ folder }: Place): string {
  return `${folder}.socket`
}

const named = [sound, ...networkMutants].find(({ name }) => name === nameIn(import.meta.url))

/** The adapter that the address of this module names. */
export const harness = named === undefined ? undefined : networkHarness(named)

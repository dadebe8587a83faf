import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Storage, StorageError } from "@sessile/core/storage"
import { ContractSkip } from "./contract.js"
import type { Harness, Place, ReopenOptions } from "./harness.js"
import type { Lab } from "./lab.js"
import { openFilesIn } from "./open-files.js"
import type { Scenario } from "./processes/scenario.js"
import { type ScenarioProcess, startScenario } from "./processes/scenario-process.js"

/**
 * Makes a lab around a new store, and a way to clear it away. Once the signal is aborted nobody waits for the store any
 * more: its processes are killed, its folders removed.
 */
export async function openLab(
  harness: Harness,
  seed: number,
  signal?: AbortSignal,
): Promise<Lab & AsyncDisposable> {
  const workshop = new Workshop(harness)
  const abandon = () => workshop.abandon()
  signal?.addEventListener("abort", abandon)
  const place = await workshop.place()
  try {
    const storage = await workshop.keep(harness.create(place))
    return {
      storage,
      seed,
      folder: place.folder,
      close: () => workshop.closeAll(),
      reopen: async (options) => {
        await workshop.closeAll()
        return workshop.reopen(place, options)
      },
      openAgain: (options) => workshop.reopen(place, options),
      another: async () => workshop.keep(harness.create(await workshop.place())),
      fresh: () => openLab(harness, seed, signal),
      start: (scenario) => workshop.start(place, scenario),
      breakDown: async (after) => {
        if (harness.breakDown === undefined) throw new ContractSkip("the harness has no breakDown")
        return harness.breakDown(place, { after })
      },
      openResources: async () => (await harness.openResources?.(place)) ?? openFilesIn(place.folder),
      [Symbol.asyncDispose]: async () => {
        await workshop.clear()
        signal?.removeEventListener("abort", abandon)
      },
    }
  } catch (error) {
    await workshop.clear()
    throw error
  }
}

/** Remembers what was opened, so that all of it can be closed. */
class Workshop {
  readonly #harness: Harness
  readonly #places: Place[] = []
  readonly #stores: Storage[] = []
  readonly #processes: ScenarioProcess[] = []

  constructor(harness: Harness) {
    this.#harness = harness
  }

  async place(): Promise<Place> {
    const place = { folder: await mkdtemp(join(tmpdir(), "sessile-conformance-")) }
    this.#places.push(place)
    return place
  }

  async keep(opening: Promise<Storage>): Promise<Storage> {
    const storage = await opening
    this.#stores.push(storage)
    return storage
  }

  async reopen(place: Place, options: ReopenOptions = { readonly: false }): Promise<Storage> {
    if (this.#harness.reopen === undefined) {
      throw new StorageError("UNSUPPORTED", "The harness has no reopen, which a durable store needs")
    }
    return this.keep(this.#harness.reopen(place, options))
  }

  start(place: Place, scenario: Scenario): ScenarioProcess {
    const child = startScenario(this.#harness, place, scenario)
    this.#processes.push(child)
    return child
  }

  /** Rejects with what the first store rejects with that cannot be closed, once all others are. */
  async closeAll(): Promise<void> {
    const closings = this.#stores.splice(0).map(async (storage) => storage.close())
    for (const closing of await Promise.allSettled(closings)) {
      if (closing.status === "rejected") throw closing.reason
    }
  }

  async clear(): Promise<void> {
    for (const child of this.#processes) await child.kill()
    try {
      await this.closeAll()
    } finally {
      for (const place of this.#places) await this.#remove(place)
    }
  }

  async abandon(): Promise<void> {
    for (const child of this.#processes) await child.kill()
    // The store may still be at work there, so that removing may fail.
    await Promise.allSettled(
      this.#places.map(({ folder }) => rm(folder, { recursive: true, force: true, maxRetries: 3 })),
    )
  }

  async #remove(place: Place): Promise<void> {
    try {
      await this.#harness.destroy?.(place)
    } finally {
      await rm(place.folder, { recursive: true, force: true })
    }
  }
}

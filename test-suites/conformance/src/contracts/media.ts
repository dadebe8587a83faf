import { StorageError } from "@sessile/core/storage"
import { ContractFailure, expectRejection, expectSame, gather } from "../assertions.js"
import { type ContractGroup, ContractSkip } from "../contract.js"
import type { Lab } from "../lab.js"
import { mediumObstacle } from "../processes/medium.js"
import type { Scenario } from "../processes/scenario.js"
import { skipUnlessInFolder } from "./in-folder.js"

/** What holds on media that cannot be written, or not any more. */
export const media: ContractGroup = {
  name: "Read-only and full media",
  required: false,
  contracts: [
    {
      id: "media/opened-for-reading",
      title: "a store opened for reading gives its records, and rejects every change with READONLY",
      needs: { durable: true },
      check: async (lab) => {
        const key = ["kept"]
        await lab.storage.write(key, { value: 1 })
        const storage = await reopenForReading(lab)
        const changes: Record<string, () => Promise<unknown>> = {
          write: () => storage.write(key, { value: 2 }),
          update: () => storage.update(key, () => undefined),
          remove: () => storage.remove(key),
          batch: () => storage.batch([{ type: "remove", key }]),
        }
        for (const [method, change] of Object.entries(changes)) {
          await expectRejection(
            change,
            "READONLY",
            `${method} on a store opened for reading was not refused`,
            key,
          )
        }
        const entries = await gather(storage.scan([]))
        expectSame(entries, [{ key, value: { value: 1 } }], "A store opened for reading changed", key)
      },
    },
    {
      id: "media/read-only-medium",
      title: "a store on a read-only medium can be read, and rejects changes with READONLY",
      needs: { durable: true },
      obstacle: mediumObstacle,
      check: async (lab) => {
        await lab.storage.write(["kept"], { value: 1 })
        await skipUnlessInFolder(lab)
        await reopenForReading(lab)
        await lab.close()
        await playOnMedium(lab, { name: "meet-read-only-medium", medium: "read-only" })
      },
    },
    {
      id: "media/full-medium",
      title: "on a full medium a write rejects with FULL, loses nothing, and succeeds once there is space",
      needs: { durable: true },
      obstacle: mediumObstacle,
      check: async (lab) => {
        await lab.storage.write(["kept"], { value: 1 })
        await skipUnlessInFolder(lab)
        await lab.close()
        await playOnMedium(lab, { name: "fill-medium", medium: "small" })
      },
    },
    {
      id: "media/full-medium-batch",
      title: "a batch of thousands that a full medium cannot hold rejects with FULL, and happens not at all",
      needs: { durable: true, atomicBatch: true },
      obstacle: mediumObstacle,
      check: async (lab) => {
        await lab.storage.write(["kept"], { value: 1 })
        await skipUnlessInFolder(lab)
        await lab.close()
        await playOnMedium(lab, { name: "fill-medium-by-batch", medium: "small" })
      },
    },
  ],
}

async function reopenForReading(lab: Lab) {
  try {
    return await lab.reopen({ readonly: true })
  } catch (error) {
    if (StorageError.is(error, "UNSUPPORTED"))
      throw new ContractSkip("the harness cannot open a store for reading only")
    throw error
  }
}

async function playOnMedium(lab: Lab, scenario: Scenario): Promise<void> {
  const { error, message } = await lab.start(scenario).ended()
  if (error === "ContractSkip") throw new ContractSkip(message)
  if (error !== undefined) throw new ContractFailure({ problem: `${message} (${error})` })
}

import { expectSame } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { entriesOf } from "./records.js"

export const capabilities: ContractGroup = {
  name: "Capabilities",
  required: true,
  contracts: [
    {
      id: "capabilities/booleans",
      title:
        "a store declares durable, atomicBatch, multiProcess, snapshots and checksums, each as true or false",
      check: async ({ storage }) => {
        const kinds = Object.entries(storage.capabilities).map(([name, declared]) => [name, typeof declared])
        const expected = {
          atomicBatch: "boolean",
          checksums: "boolean",
          durable: "boolean",
          multiProcess: "boolean",
          snapshots: "boolean",
        }
        const problem = "The capabilities are not the five booleans that they should be"
        expectSame(Object.fromEntries(kinds.sort()), expected, problem)
      },
    },
    {
      id: "capabilities/unchanged",
      title: "what a store declares stays the same while it is used",
      check: async ({ storage }) => {
        const declared = { ...storage.capabilities }
        await storage.write(["a"], { count: 1 })
        await storage.update<{ count: number }>(["a"], (draft) => {
          draft.count++
        })
        await storage.batch([{ type: "write", key: ["b"], value: 1 }])
        await entriesOf(storage.scan([]))
        await storage.remove(["a"])
        expectSame({ ...storage.capabilities }, declared, "The capabilities changed while the store was used")
      },
    },
    {
      id: "capabilities/durable-reopens",
      title: "a durable store can be closed and opened again; its records are there",
      needs: { durable: true },
      check: async ({ storage, reopen }) => {
        await storage.write(["a"], "kept")
        const reopened = await reopen()
        const problem = "A record of a durable store is gone after it was opened again"
        expectSame(await reopened.list([]), [["a"]], problem)
        expectSame(await reopened.read(["a"]), "kept", problem, ["a"])
      },
    },
  ],
}

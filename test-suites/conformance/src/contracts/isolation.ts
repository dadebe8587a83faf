import { expectRejection, expectSame } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { entriesOf, fill, recordsAt } from "./records.js"

export const isolation: ContractGroup = {
  name: "Isolation",
  required: true,
  contracts: [
    {
      id: "isolation/records",
      title: "two stores keep different records under the same key",
      check: async ({ storage, another }) => {
        const other = await another()
        await storage.write(["a"], "one")
        await expectRejection(() => other.read(["a"]), "NOT_FOUND", "A store holds another store's record", [
          "a",
        ])
        await other.write(["a"], "two")
        expectSame(await storage.read(["a"]), "one", "A write went to another store too", ["a"])
        expectSame(await other.read(["a"]), "two", "A store gave another store's record", ["a"])
      },
    },
    {
      id: "isolation/removal",
      title: "removing a record leaves that of another store alone",
      check: async ({ storage, another }) => {
        const other = await another()
        for (const store of [storage, other]) await fill(store, recordsAt([["a"], ["b"]]))
        await other.remove(["a"])
        await other.batch([{ type: "remove", key: ["b"] }])
        expectSame(await storage.list([]), [["a"], ["b"]], "A removal went to another store too")
        expectSame(await storage.read(["a"]), { at: ["a"] }, "A removal went to another store too", ["a"])
      },
    },
    {
      id: "isolation/closing",
      title: "closing a store leaves another one open",
      check: async ({ storage, another }) => {
        const other = await another()
        await storage.write(["a"], 1)
        await other.close()
        expectSame(await storage.read(["a"]), 1, "Closing one store lost a record of another", ["a"])
        await storage.write(["a"], 2)
        expectSame(await storage.read(["a"]), 2, "Closing one store keeps another from writing", ["a"])
      },
    },
    {
      id: "isolation/iterations",
      title: "list, scan and find give the records of their own store alone",
      check: async ({ storage, another }) => {
        const other = await another()
        const stores = [storage, other].map((store, index) => ({
          store,
          record: { key: ["session", "p", `ses_${index}`], value: `in store ${index}` },
        }))
        for (const { store, record } of stores) await store.write(record.key, record.value)
        for (const { store, record } of stores) {
          const problem = "A store shows records of another one"
          expectSame(await store.list([]), [record.key], problem)
          expectSame(await entriesOf(store.scan(["session"])), [record], problem)
          expectSame(await entriesOf(store.scanMany([["session"]])), [record], problem)
          expectSame(await entriesOf(store.find("sessions-by-project", { equals: ["p"] })), [record], problem)
        }
      },
    },
  ],
}

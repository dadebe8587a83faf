import type { Key } from "@sessile/core/storage"
import { expectRejection, expectSame } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { entriesOf, fill, recordsAt } from "./records.js"
import { expectAbsent, expectContents, expectSuccess } from "./store-contents.js"

export const remove: ContractGroup = {
  name: "Remove",
  required: true,
  contracts: [
    {
      id: "remove/removes",
      title: "a removed record can be neither read nor updated",
      check: async ({ storage }) => {
        const key = ["a", "b"]
        await storage.write(key, { a: 1 })
        await storage.remove(key)
        await expectAbsent(storage, key, "A removed record could be read")
        const attempt = () => storage.update(key, () => undefined)
        await expectRejection(attempt, "NOT_FOUND", "A removed record could be updated", key)
      },
    },
    {
      id: "remove/absent",
      title: "removing an absent key resolves and changes nothing",
      check: async ({ storage }) => {
        const removeAbsent = (key: Key) =>
          expectSuccess(() => storage.remove(key), "Removing what is not there failed", key)
        await removeAbsent(["a"])
        const records = recordsAt([["a", "b"], ["b"]])
        await fill(storage, records)
        for (const key of [["a"], ["a", "b", "c"], ["a", "c"], ["c"]]) await removeAbsent(key)
        await expectContents(storage, records, "Removing absent keys changed the store")
      },
    },
    {
      id: "remove/twice",
      title: "removing a record twice, or many times at once, resolves",
      check: async ({ storage }) => {
        const key = ["a", "b"]
        await storage.write(key, {})
        await storage.remove(key)
        await expectSuccess(() => storage.remove(key), "Removing a record a second time failed", key)
        await storage.write(key, {})
        const removeTenTimes = () => Promise.all(Array.from({ length: 10 }, () => storage.remove(key)))
        await expectSuccess(removeTenTimes, "Removing a record many times at once failed", key)
        expectSame(await storage.list([]), [], "A record that was removed many times is still there")
      },
    },
    {
      id: "remove/descendants-stay",
      title: "removing a record leaves the records below it",
      check: async ({ storage }) => {
        const records = recordsAt([["a"], ["a", "b"], ["a", "b", "c"], ["a", "d"]])
        await fill(storage, records)
        await storage.remove(["a"])
        await expectContents(storage, records.slice(1), "Removing a record removed what lies below it")
        await storage.remove(["a", "b"])
        await expectContents(storage, records.slice(2), "Removing a record removed what lies below it")
      },
    },
    {
      id: "remove/neighbours-stay",
      title: "removing a record leaves those above it, beside it and with a similar name",
      check: async ({ storage }) => {
        const gone = ["a", "b"]
        const rest = recordsAt([
          ["a"],
          ["a", "a"],
          ["a", "b "],
          ["a", "b.json"],
          ["a", "ba"],
          ["a", "bb"],
          ["a", "c"],
          ["b"],
        ])
        await fill(storage, [...rest, { key: gone, value: {} }])
        await storage.remove(gone)
        await expectContents(storage, rest, "Removing a record removed another one")
      },
    },
    {
      id: "remove/write-again",
      title: "a key can be written again after it was removed, and nothing of the old value is left",
      check: async ({ storage }) => {
        const key = ["a", "b"]
        for (const value of [{ old: 1, a: 2 }, { a: 3 }, "text"]) {
          await storage.write(key, value)
          expectSame(
            await storage.read(key),
            value,
            "A key that had been removed could not be written again",
            key,
          )
          await expectContents(storage, [{ key, value }], "A record written again was not scanned")
          await storage.remove(key)
        }
      },
    },
    {
      id: "remove/not-listed",
      title: "a removed record is neither listed nor scanned nor found",
      check: async ({ storage }) => {
        const session = (number: number) => ["session", "project", `ses_${number}`]
        const records = recordsAt([session(1), session(2), session(3)])
        await fill(storage, records)
        await storage.remove(session(2))
        const rest = [records[0], records[2]]
        const listed = await storage.list(["session"])
        expectSame(listed, [session(1), session(3)], "list gave a record that was removed")
        expectSame(await entriesOf(storage.scan(["session"])), rest, "scan gave a record that was removed")
        expectSame(
          await entriesOf(storage.scanMany([["session"]])),
          rest,
          "scanMany gave a record that was removed",
        )
        expectSame(
          await entriesOf(storage.find("sessions-by-parent")),
          rest,
          "find gave a record that was removed",
        )
      },
    },
    {
      id: "remove/concurrent",
      title: "removals of many keys at once all take place",
      check: async ({ storage }) => {
        const records = recordsAt(
          Array.from({ length: 100 }, (_, number) => ["folder", String(number).padStart(3, "0")]),
        )
        await fill(storage, records)
        const rest = records.filter((_, number) => number % 10 === 0)
        await Promise.all(
          records.filter((record) => !rest.includes(record)).map(({ key }) => storage.remove(key)),
        )
        await expectContents(storage, rest, "Of removals at once some were lost, or hit other records")
      },
    },
  ],
}

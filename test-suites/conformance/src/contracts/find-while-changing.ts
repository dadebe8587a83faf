import { expectSame } from "../assertions.js"
import type { Contract } from "../contract.js"
import { expectFound } from "./find-oracle.js"
import { entriesOf, fill } from "./records.js"
import { session, updatedAt } from "./sample-sessions.js"

const [first, second, third] = [
  updatedAt("p", "a", 1),
  updatedAt("p", "b", 2),
  updatedAt("q", "c", 3),
] as const

/** What holds of an index when its records change. */
export const findWhileChanging: readonly Contract[] = [
  {
    id: "find/follows-writes",
    title: "a record that is written again is found under its new terms alone",
    check: async ({ storage }) => {
      await fill(storage, [first, second, third])
      const moved = session("p", "a", { parentID: "b", time: { created: 5, updated: 9 } })
      await storage.write(moved.key, moved.value)
      const records = [moved, second, third]
      for (const equals of [[1], [9]]) await expectFound(storage, records, "sessions-by-updated", { equals })
      await expectFound(storage, records, "sessions-by-project")
      for (const equals of [[null], ["b"]])
        await expectFound(storage, records, "sessions-by-parent", { equals })
    },
  },
  {
    id: "find/follows-updates",
    title: "a record that is updated is found under its new terms alone",
    check: async ({ storage }) => {
      await fill(storage, [first, second, third])
      await storage.update<{ time: { updated?: number } }>(first.key, (draft) => {
        draft.time.updated = 9
      })
      await storage.update<{ time: { updated?: number } }>(third.key, (draft) => {
        delete draft.time.updated
      })
      const records = [updatedAt("p", "a", 9), second, updatedAt("q", "c")]
      for (const equals of [[1], [3], [9], [null]]) {
        await expectFound(storage, records, "sessions-by-updated", { equals })
      }
      await expectFound(storage, records, "sessions-by-project")
    },
  },
  {
    id: "find/follows-removals",
    title: "a record that is removed is not found, and is found again when it is written again",
    check: async ({ storage }) => {
      await fill(storage, [first, second, third])
      await storage.remove(second.key)
      await expectFound(storage, [first, third], "sessions-by-updated")
      await expectFound(storage, [first, third], "sessions-by-project", { equals: ["p"] })
      await storage.write(second.key, second.value)
      await expectFound(storage, [first, second, third], "sessions-by-updated")
    },
  },
  {
    id: "find/follows-batches",
    title: "an index follows what a batch writes and removes",
    check: async ({ storage }) => {
      await fill(storage, [first, second])
      await storage.batch([
        { type: "write", key: first.key, value: updatedAt("p", "a", 9).value },
        { type: "write", key: third.key, value: updatedAt("q", "c", 8).value },
        { type: "write", ...third },
        { type: "remove", key: second.key },
      ])
      const records = [updatedAt("p", "a", 9), third]
      await expectFound(storage, records, "sessions-by-updated")
      for (const equals of [["p"], ["q"]])
        await expectFound(storage, records, "sessions-by-project", { equals })
    },
  },
  {
    id: "find/fresh-values",
    title: "changing what find gave changes neither the store nor what it gives next",
    check: async ({ storage }) => {
      await fill(storage, [first, second])
      for await (const { value } of storage.find<{ title: string }>("sessions-by-updated")) {
        value.title = "changed by the caller"
      }
      const problem = "What the caller did to a found value shows in the store"
      expectSame(await entriesOf(storage.find("sessions-by-updated")), [first, second], problem)
      expectSame(await storage.read(first.key), first.value, problem, first.key)
    },
  },
]

import type { IndexQuery } from "@sessile/core/storage"
import { expectRejection, expectSame, gather } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { expectFound } from "./find-oracle.js"
import { findWhileChanging } from "./find-while-changing.js"
import { entriesOf, fill } from "./records.js"
import { expectSameList } from "./same-list.js"
import { randomQuestions, randomSessions, session, updatedAt } from "./sample-sessions.js"

export const find: ContractGroup = {
  name: "Find",
  required: true,
  contracts: [
    {
      id: "find/as-filtered-scan",
      title: "an index gives what filtering and sorting all records gives, whatever the query",
      check: async ({ storage, seed }) => {
        const records = randomSessions(seed, 40)
        await fill(storage, records)
        for (const { index, query } of randomQuestions(seed, 80)) {
          await expectFound(storage, records, index, query)
        }
      },
    },
    {
      id: "find/order",
      title: "records come in the order of the terms of the index, not in that of their keys",
      check: async ({ storage }) => {
        const [oldest, middle, newest] = [
          updatedAt("p", "b", 1),
          updatedAt("q", "a", 2),
          updatedAt("p", "a", 3),
        ]
        await fill(storage, [newest, middle, oldest])
        const problem = "Sessions did not come in the order of time.updated"
        expectSame(await entriesOf(storage.find("sessions-by-updated")), [oldest, middle, newest], problem)
        const byProject = await entriesOf(storage.find("sessions-by-project"))
        const order = "Sessions did not come in the order of project and time.updated"
        expectSame(byProject, [oldest, newest, middle], order)
      },
    },
    {
      id: "find/ties-by-key",
      title: "records with equal terms come in key order",
      check: async ({ storage }) => {
        const ids = ["0", "10", "9", "B", "a", "ÿ", "\uFFFF", "\u{1F600}"]
        const records = ["p", "p!", "pp"].flatMap((project) => ids.map((id) => updatedAt(project, id, 7)))
        await fill(storage, records)
        const problem = "Sessions with the same time.updated did not come in key order"
        expectSameList(await entriesOf(storage.find("sessions-by-updated")), records, problem)
      },
    },
    {
      id: "find/equals",
      title: "equals selects the records whose leading terms are equal, in type and to the letter",
      check: async ({ storage }) => {
        const parents = [1, "1", "a", "ab", "a\0", "á", "a\u0301", "", null]
        const records = parents.flatMap((parentID, index) =>
          [1, 2].map((created) => session("ÿ", `${index}-${created}`, { parentID, time: { created } })),
        )
        records.push(updatedAt("p", "x", 1), updatedAt("pp", "x", 1), updatedAt("ÿÿ", "x", 1))
        await fill(storage, records)
        for (const parentID of [...parents, "absent", 2]) {
          await expectFound(storage, records, "sessions-by-parent", { equals: [parentID] })
          await expectFound(storage, records, "sessions-by-parent", { equals: [parentID, 2] })
        }
        for (const project of ["p", "ÿ", "absent"]) {
          await expectFound(storage, records, "sessions-by-project", { equals: [project] })
        }
        await expectFound(storage, records, "sessions-by-project", { equals: [] })
      },
    },
    {
      id: "find/bounds",
      title: "bounds narrow the first term, or the one behind those that must be equal",
      check: async ({ storage }) => {
        const times = [-2, 0, 1, 1, 1.5, 2, 3]
        const records = ["p", "q"].flatMap((project) =>
          times.map((updated, index) => updatedAt(project, `ses_${index}`, updated)),
        )
        await fill(storage, records)
        for (const bound of [-3, -2, 0, 1, 1.25, 3, 4]) {
          for (const name of ["gt", "gte", "lt", "lte"]) {
            await expectFound(storage, records, "sessions-by-updated", { [name]: bound })
            await expectFound(storage, records, "sessions-by-project", { equals: ["p"], [name]: bound })
          }
        }
        await expectFound(storage, records, "sessions-by-updated", { gt: 0, lte: 2 })
        await expectFound(storage, records, "sessions-by-updated", { gte: 2, lt: 1 })
        await expectFound(storage, records, "sessions-by-project", { gt: "p", lt: "qq" })
      },
    },
    {
      id: "find/null-terms",
      title: "a field that is missing, or neither string nor number, counts as null, which comes first",
      check: async ({ storage }) => {
        const odd = [undefined, null, true, false, [1], { a: 1 }].map((updated, index) =>
          updatedAt("p", `odd-${index}`, updated),
        )
        const bare = [undefined, null, 5, "2025", [1]].map((time, index) =>
          session("p", `bare-${index}`, { time }),
        )
        const scalar = { key: ["session", "p", "scalar"], value: "not an object" }
        const plain = [updatedAt("p", "negative", -5), updatedAt("p", "zero", 0), updatedAt("p", "text", "")]
        const records = [...odd, ...bare, scalar, ...plain]
        await fill(storage, records)
        const queries: IndexQuery[] = [
          {},
          { gt: null },
          { gte: null },
          { lt: null },
          { lte: null },
          { lt: -5 },
          { lte: "" },
        ]
        for (const query of queries) {
          await expectFound(storage, records, "sessions-by-updated", query)
          await expectFound(storage, records, "sessions-by-project", {
            ...query,
            equals: ["p"],
            reverse: true,
          })
        }
        await expectFound(storage, records, "sessions-by-updated", { equals: [null] })
        await expectFound(storage, records, "sessions-by-parent", { equals: [null] })
      },
    },
    {
      id: "find/numbers-and-strings",
      title: "numbers are ordered by value and come before strings, which are ordered by UTF-8 bytes",
      check: async ({ storage }) => {
        const ordered = [-1e300, -10, -9.5, -9, 0, 0.25, 0.5, 2, 10, 1.7e12, 1e300]
        const strings = ["", "-1", "10", "9", "B", "a", "a\0", "a\0b", "aa", "ÿ", "\uFFFF", "\u{1F600}"]
        // Ids against the order of the terms, so that key order cannot pass for it.
        const records = [...ordered, ...strings].map((updated, index) =>
          updatedAt("p", String(99 - index), updated),
        )
        await fill(storage, records)
        const problem = "Numbers and strings did not come in the order of terms"
        expectSameList(await entriesOf(storage.find("sessions-by-updated")), records, problem)
        for (const bound of [-9.5, 0.3, 1.7e12, "", "9", "a\0", "\uFFFF"]) {
          await expectFound(storage, records, "sessions-by-updated", { gt: bound })
          await expectFound(storage, records, "sessions-by-updated", { lt: bound })
        }
      },
    },
    {
      id: "find/reverse",
      title: "reverse turns the whole order round, that of equal terms included",
      check: async ({ storage }) => {
        const records = [1, 1, 1, 2, 3, 3].map((updated, index) => updatedAt("p", `ses_${index}`, updated))
        await fill(storage, records)
        for (const reverse of [true, false]) {
          await expectFound(storage, records, "sessions-by-updated", { reverse })
          await expectFound(storage, records, "sessions-by-updated", { reverse, lte: 2 })
          await expectFound(storage, records, "sessions-by-project", { reverse, equals: ["p"], gt: 1 })
        }
      },
    },
    {
      id: "find/limit",
      title: "limit gives the first records of the selection, from the end with reverse",
      check: async ({ storage }) => {
        const records = [5, 4, 3, 2, 1].map((updated, index) =>
          updatedAt(`p${index % 2}`, `ses_${index}`, updated),
        )
        await fill(storage, records)
        for (const limit of [0, 1, 2, 5, 100]) {
          for (const reverse of [false, true]) {
            await expectFound(storage, records, "sessions-by-updated", { limit, reverse })
            await expectFound(storage, records, "sessions-by-updated", { gte: 3, limit, reverse })
            await expectFound(storage, records, "sessions-by-project", { equals: ["p1"], limit, reverse })
          }
        }
      },
    },
    {
      id: "find/own-records-only",
      title: "an index holds the records of its prefix and key length alone",
      check: async ({ storage }) => {
        const covered = updatedAt("p", "ses_1", 1)
        await fill(storage, [covered])
        for (const key of [
          ["session"],
          ["session", "p"],
          ["session", "p", "ses_1", "more"],
          ["sessions", "p", "ses_1"],
          ["message", "p", "ses_1"],
          ["x", "session", "p"],
        ]) {
          await storage.write(key, covered.value)
        }
        for (const index of ["sessions-by-updated", "sessions-by-project", "sessions-by-parent"]) {
          const problem = `The index "${index}" holds records of other keys than ["session", project, id]`
          expectSame(await entriesOf(storage.find(index)), [covered], problem)
        }
      },
    },
    {
      id: "find/undeclared-index",
      title: "an index that is not declared is refused",
      check: async ({ storage }) => {
        const problem = "find took an index that nobody declared"
        for (const name of ["nobody-declared-this", "", "toString"]) {
          await expectRejection(async () => gather(storage.find(name)), "UNSUPPORTED", problem)
        }
      },
    },
    {
      id: "find/unfitting-query",
      title: "a query that does not fit its index is refused",
      check: async ({ storage }) => {
        const unfitting: Record<string, Record<string, unknown>> = {
          "more equal terms than the index has": { equals: [1, 2] },
          "a bound behind the last term": { equals: [1], gt: 1 },
          "a term that is a boolean": { equals: [true] },
          "a bound that is an object": { gt: {} },
          "a bound that is not a finite number": { lt: Number.NaN },
          "gt together with gte": { gt: 1, gte: 1 },
          "lt together with lte": { lt: 1, lte: 1 },
          "a negative limit": { limit: -1 },
          "a fractional limit": { limit: 0.5 },
          "an unknown option": { equal: [1] },
        }
        for (const [flaw, query] of Object.entries(unfitting)) {
          const finding = async () => gather(storage.find("sessions-by-updated", query as IndexQuery))
          await expectRejection(finding, "INVALID_ARGUMENT", `find took a query with ${flaw}`)
        }
      },
    },
    ...findWhileChanging,
  ],
}

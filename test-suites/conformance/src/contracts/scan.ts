import type { Entry, Key, ScanOptions, Storage } from "@sessile/core/storage"
import { expectRejection, expectSame, gather } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { show } from "../show.js"
import { treeKeys } from "./ordered-keys.js"
import { entriesOf, fill, recordsAt } from "./records.js"
import { expectSameList } from "./same-list.js"
import { invalidRanges, treePrefixes, treeRanges } from "./sample-ranges.js"
import { scanWhileChanging } from "./scan-while-changing.js"
import { selectKeys } from "./select-keys.js"

export const scan: ContractGroup = {
  name: "Scan",
  required: true,
  contracts: [
    {
      id: "scan/values-with-keys",
      title: "a scan gives each record with its whole key and its value",
      check: async ({ storage }) => {
        const records = recordsAt(treeKeys)
        await fill(storage, records)
        expectSame(
          await entriesOf(storage.scan([])),
          records,
          "scan([]) gave other records than were written",
        )
        const below = records.filter(({ key }) => key[0] === "a" && key[1] === "b" && key.length > 2)
        const problem = "The scan of a prefix gave other records than were written below it"
        expectSameList(await entriesOf(storage.scan(["a", "b"])), below, problem)
      },
    },
    {
      id: "scan/same-as-list",
      title: "scan and scanMany give the records that list names, with the same ranges, in the same order",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        for (const prefix of [...treePrefixes, ["x"]]) {
          for (const range of treeRanges) {
            const listed: Entry<unknown>[] = []
            for (const key of await storage.list(prefix, range)) {
              listed.push({ key, value: await storage.read(key) })
            }
            const problem = `With ${show(prefix)} and ${show(range)} a scan differs from list and read`
            expectSameList(await entriesOf(storage.scan(prefix, range)), listed, problem)
            expectSameList(await entriesOf(storage.scanMany([prefix], range)), listed, problem)
          }
        }
      },
    },
    {
      id: "scan/many-prefixes",
      title: "the records of several prefixes come in key order, however the prefixes are ordered",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        await expectScanned(storage, [["b"], ["a", "b"], ["x"], ["a!"]])
        await expectScanned(storage, [["a", "d"], ["ab"], ["a", "b"]], { reverse: true })
        const hundred = Array.from({ length: 100 }, (_, index) => ["none", String(index)])
        await expectScanned(storage, [["b"], ...hundred, ["a"]])
      },
    },
    {
      id: "scan/overlapping-prefixes",
      title: "a record comes once, even when several of the prefixes select it",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        await expectScanned(storage, [["b"], ["a"], ["b"], ["a"]])
        await expectScanned(storage, [["a", "b", "c"], ["a", "b"], ["a"], ["a", "d"]])
        await expectScanned(storage, [["b"], [], ["a"]], { reverse: true })
      },
    },
    {
      id: "scan/limit-over-prefixes",
      title: "limit and bounds count over all prefixes together",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        const prefixes = [["b"], ["a", "b"], ["ab"]]
        for (const reverse of [false, true]) {
          for (const limit of [0, 1, 3, 4, 100]) await expectScanned(storage, prefixes, { limit, reverse })
          await expectScanned(storage, prefixes, { gt: ["a", "b", "c"], lt: ["b", "b"], limit: 3, reverse })
        }
      },
    },
    {
      id: "scan/no-prefixes",
      title: "no prefixes select nothing",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        await expectScanned(storage, [])
        await expectScanned(storage, [], { gte: ["a"], limit: 5, reverse: true })
      },
    },
    {
      id: "scan/fresh-values",
      title: "changing what a scan gave changes neither the store nor another scan",
      check: async ({ storage }) => {
        const records = recordsAt([["a"], ["b"]])
        await fill(storage, records)
        for await (const { value } of storage.scan<{ at: string[] }>([]))
          value.at.push("changed by the caller")
        const problem = "What the caller did to a scanned value shows in the store"
        expectSameList(await entriesOf(storage.scan([])), records, problem)
        expectSame(await storage.read(["a"]), records[0]?.value, problem, ["a"])
      },
    },
    {
      id: "scan/invalid-options",
      title: "options that make no sense are refused",
      check: async ({ storage }) => {
        const misspelt = { flaw: "an unknown option", range: { snapshots: true } as ScanOptions }
        for (const { flaw, range } of [...invalidRanges, misspelt]) {
          const problem = `A scan took ${flaw}`
          await expectRejection(async () => gather(storage.scan([], range)), "INVALID_ARGUMENT", problem)
          await expectRejection(
            async () => gather(storage.scanMany([[]], range)),
            "INVALID_ARGUMENT",
            problem,
          )
        }
      },
    },
    {
      id: "scan/snapshot-refused",
      title: "a snapshot is refused by a store that does not declare snapshots",
      needs: { snapshots: false },
      check: async ({ storage }) => {
        const snapshot = true
        const problem = "The store gave a snapshot that it does not declare"
        await expectRejection(async () => gather(storage.scan([], { snapshot })), "UNSUPPORTED", problem)
        await expectRejection(
          async () => gather(storage.scanMany([[]], { snapshot })),
          "UNSUPPORTED",
          problem,
        )
        await storage.write(["a"], 1)
        const plain = await entriesOf(storage.scan([], { snapshot: false }))
        expectSame(plain, [{ key: ["a"], value: 1 }], "A scan that asked for no snapshot gave other records")
      },
    },
    ...scanWhileChanging,
  ],
}

async function expectScanned(
  storage: Storage,
  prefixes: readonly Key[],
  options: ScanOptions = {},
): Promise<void> {
  const problem = `scanMany(${show(prefixes)}, ${show(options)}) gave other records than those selected`
  const expected = recordsAt(selectKeys(treeKeys, prefixes, options))
  expectSameList(await entriesOf(storage.scanMany(prefixes, options)), expected, problem)
}

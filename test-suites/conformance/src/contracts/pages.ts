import type { Key, Range, ScanOptions, Storage } from "@sessile/core/storage"
import fc from "fast-check"
import { expectRejection } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { show } from "../show.js"
import { expectFound } from "./find-oracle.js"
import { fillMany, manyKeys, manyPrefixes, manyRecords, manySessions } from "./many-records.js"
import { pagesWhileChanging } from "./pages-while-changing.js"
import { entriesOf, recordsAt, spacedKeys } from "./records.js"
import { expectSameList } from "./same-list.js"
import { selectKeys } from "./select-keys.js"

// Around the sizes that pages usually have.
const LIMITS = [1, 64, 65, 100, 101, 128, 129, 200, 201, 256, 257, 500, 501, 512, 513, 1_000, 1_001, 1_024]

/** What holds beyond the first page of records. */
export const pages: ContractGroup = {
  name: "Many records",
  required: true,
  contracts: [
    {
      id: "pages/scan",
      title: "scan and list give each of more than 1,000 records once, in order, in both directions",
      check: async ({ storage }) => {
        await fillMany(storage, manyRecords)
        for (const prefix of [["page"], manyPrefixes[0] as Key]) {
          for (const reverse of [false, true]) {
            await expectSelected(storage, [prefix], { reverse })
            for (const limit of [undefined, 1_000, 1_001]) {
              const expected = selectKeys(manyKeys, [prefix], { reverse, limit })
              const problem = `list(${show(prefix)}, ${show({ reverse, limit })}) gave other keys`
              expectSameList(await storage.list(prefix, { reverse, limit }), expected, problem)
            }
          }
        }
      },
    },
    {
      id: "pages/limits",
      title: "limits count over all pages, and bounds hold on each of them, also where they meet its end",
      check: async ({ storage }) => {
        await fillMany(storage, manyRecords)
        for (const limit of LIMITS) {
          await expectSelected(storage, [["page"]], { limit })
          await expectSelected(storage, manyPrefixes, { limit, reverse: true })
        }
        for (const position of [0, 99, 999, 1_000, 1_001, manyKeys.length - 1]) {
          const bound = manyKeys[position] as Key
          await expectSelected(storage, [["page"]], { gt: bound, limit: 1_001 })
          await expectSelected(storage, manyPrefixes, { lte: bound, reverse: true, limit: 1_001 })
        }
      },
    },
    {
      id: "pages/scan-many",
      title:
        "more than 100 prefixes give their records once and in order, overlapping and empty ones included",
      check: async ({ storage, seed }) => {
        await fillMany(storage, manyRecords)
        const absent = manyPrefixes.map(([kind, number]) => [kind as string, `${number}!`])
        const shuffled = [...manyPrefixes.filter((_, index) => index % 2 === 1), ...manyPrefixes].reverse()
        const overlapping = [...shuffled, ["page"], ...(manyKeys.slice(0, 130) as Key[])]
        for (const prefixes of [shuffled, [...absent, ...shuffled], overlapping]) {
          for (const reverse of [false, true]) await expectSelected(storage, prefixes, { reverse })
        }
        for (const { prefixes, range } of randomSelections(seed, 12))
          await expectSelected(storage, prefixes, range)
      },
    },
    {
      id: "pages/large-records",
      title: "records of many bytes come as completely as small ones",
      check: async ({ storage }) => {
        const text = "x".repeat(100_000)
        const records = spacedKeys(["session", "large"], 40).map((key) => ({ key, value: { key, text } }))
        await fillMany(storage, records)
        const keys = records.map(({ key }) => key)
        for (const reverse of [false, true]) {
          const expected = reverse ? keys.toReversed() : keys
          const problem = "Of records that are large together some did not come"
          for (const items of [
            storage.scan(["session"], { reverse }),
            storage.find("sessions-by-updated", { reverse }),
          ]) {
            const found = await entriesOf(items)
            expectSameList(
              found.map(({ key }) => key),
              expected,
              problem,
            )
          }
        }
      },
    },
    {
      id: "pages/find",
      title: "an index gives thousands of records in its order, with the same limits and bounds",
      check: async ({ storage }) => {
        await fillMany(storage, manySessions)
        for (const reverse of [false, true]) {
          for (const index of ["sessions-by-updated", "sessions-by-project", "sessions-by-parent"]) {
            await expectFound(storage, manySessions, index, { reverse })
          }
          for (const limit of [999, 1_000, 1_001]) {
            await expectFound(storage, manySessions, "sessions-by-updated", { limit, reverse })
          }
          await expectFound(storage, manySessions, "sessions-by-updated", { gte: 1, lt: 5, reverse })
          await expectFound(storage, manySessions, "sessions-by-parent", {
            equals: [null],
            reverse,
            limit: 1_100,
          })
        }
      },
    },
    {
      id: "pages/closed-iteration",
      title:
        "an iteration rejects with CLOSED at its next step, however far it has come when the store is closed",
      check: async ({ storage }) => {
        await fillMany(storage, [...manyRecords, ...manySessions])
        const iterations = [1, 64, 100, 200, 999, 1_000, 1_001].flatMap((steps) => [
          { steps, method: "scan", iterator: storage.scan(["page"])[Symbol.asyncIterator]() },
          { steps, method: "scanMany", iterator: storage.scanMany(manyPrefixes)[Symbol.asyncIterator]() },
        ])
        iterations.push(
          { steps: 1, method: "find", iterator: storage.find("sessions-by-updated")[Symbol.asyncIterator]() },
          {
            steps: 1_001,
            method: "find",
            iterator: storage.find("sessions-by-updated")[Symbol.asyncIterator](),
          },
        )
        for (const { steps, iterator } of iterations) {
          for (let step = 0; step < steps; step++) await iterator.next()
        }
        await storage.close()
        for (const { steps, method, iterator } of iterations) {
          const problem = `After ${steps} records an iteration of ${method} went on though the store was closed`
          await expectRejection(() => iterator.next(), "CLOSED", problem)
        }
      },
    },
    ...pagesWhileChanging,
  ],
}

async function expectSelected(
  storage: Storage,
  prefixes: readonly Key[],
  options: ScanOptions,
): Promise<void> {
  const [prefix, ...more] = prefixes as [Key]
  const scanned = more.length === 0 ? storage.scan(prefix, options) : storage.scanMany(prefixes, options)
  const problem = `A scan of ${prefixes.length} prefixes with ${show(options)} gave other records`
  expectSameList(await entriesOf(scanned), recordsAt(selectKeys(manyKeys, prefixes, options)), problem)
}

function randomSelections(seed: number, count: number): { prefixes: readonly Key[]; range: Range }[] {
  const key = fc.constantFrom(...manyKeys)
  const selection = fc
    .record({
      prefixes: fc.shuffledSubarray([...manyPrefixes], { minLength: 1 }),
      lower: fc.constantFrom("gt", "gte", undefined),
      from: key,
      upper: fc.constantFrom("lt", "lte", undefined),
      to: key,
      limit: fc.option(fc.nat(manyKeys.length), { nil: undefined }),
      reverse: fc.boolean(),
    })
    .map(({ prefixes, lower, from, upper, to, limit, reverse }) => {
      const range = { ...(lower && { [lower]: from }), ...(upper && { [upper]: to }), limit, reverse }
      return { prefixes, range }
    })
  return fc.sample(selection, { seed, numRuns: count })
}

import type { Key, Range, Storage } from "@sessile/core/storage"
import { expectRejection, expectSame } from "../assertions.js"
import type { Contract, ContractGroup } from "../contract.js"
import { show } from "../show.js"
import { boundaryKeys, boundaryNeighbours, orderedKeys, orderedSegments, treeKeys } from "./ordered-keys.js"
import { fill, recordsAt } from "./records.js"
import { expectSameList } from "./same-list.js"
import { invalidBounds, invalidRanges, treeBounds, treePrefixes } from "./sample-ranges.js"
import { selectKeys } from "./select-keys.js"

export const list: ContractGroup = {
  name: "List",
  required: true,
  contracts: [
    {
      id: "list/byte-order",
      title: "keys come in the order of their UTF-8 bytes",
      check: async ({ storage }) => {
        const keys = orderedSegments.map((segment) => ["order", segment])
        await fill(storage, recordsAt(keys))
        expectSameList(
          await storage.list(["order"]),
          keys,
          "Segments are not in the order of their UTF-8 bytes",
        )
      },
    },
    {
      id: "list/segment-order",
      title: "keys are compared segment by segment, not joined",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(orderedKeys))
        expectSameList(await storage.list([]), orderedKeys, "Keys are not compared segment by segment")
      },
    },
    {
      id: "list/strict-descendants",
      title: "a prefix selects what lies below it, not itself nor keys that merely start alike",
      check: async ({ storage }) => {
        const alike = [["a"], ["ab"], ["ab", "c"], ["a!"], ["b", "a"], ["b", "a", "b"]]
        await fill(storage, recordsAt([["a", "b"], ...alike]))
        expectSameList(
          await storage.list(["a"]),
          [["a", "b"]],
          'list(["a"]) gave more or less than ["a", "b"]',
        )
      },
    },
    {
      id: "list/everything",
      title: "the empty prefix selects every record",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        expectSameList(await storage.list([]), treeKeys, "list([]) did not give every key")
      },
    },
    {
      id: "list/nothing",
      title: "a prefix without records below it gives an empty list",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        for (const prefix of [["x"], ["x", "y"], ["a", "x"], ["c"], ["c", "d"], ["a", "b", "c", "x"]]) {
          expectSame(await storage.list(prefix), [], "Something was listed where there is nothing", prefix)
        }
      },
    },
    {
      id: "list/deep-descendants",
      title: "a prefix selects records at every depth below it",
      check: async ({ storage }) => {
        const keys = [
          ["a", "b"],
          ["a", "b", "c", "d"],
          ["a", "c", "d", "e", "f", "g", "h", "i"],
        ]
        await fill(storage, recordsAt(keys))
        expectSameList(await storage.list(["a"]), keys, 'list(["a"]) did not give the records at every depth')
      },
    },
    bound("gt", "gt leaves out its bound and what comes before"),
    bound("gte", "gte keeps its bound and leaves out what comes before"),
    bound("lt", "lt leaves out its bound and what comes behind"),
    bound("lte", "lte keeps its bound and leaves out what comes behind"),
    {
      id: "list/two-bounds",
      title: "a lower and an upper bound hold together; crossed ones select nothing",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        for (const lower of treeBounds) {
          for (const upper of treeBounds) {
            await expectListed(storage, treeKeys, ["a"], { gte: lower, lte: upper })
            await expectListed(storage, treeKeys, [], { gt: lower, lt: upper })
          }
        }
      },
    },
    {
      id: "list/limit",
      title: "limit gives the first keys of the selection",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        for (const prefix of treePrefixes) {
          for (const limit of [1, 2, 5, treeKeys.length, 1_000_000]) {
            await expectListed(storage, treeKeys, prefix, { limit })
            await expectListed(storage, treeKeys, prefix, { gt: ["a", "b", "c"], limit })
          }
        }
      },
    },
    {
      id: "list/limit-zero",
      title: "a limit of zero gives nothing",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        await expectListed(storage, treeKeys, [], { limit: 0 })
        await expectListed(storage, treeKeys, ["a"], { limit: 0, reverse: true })
      },
    },
    {
      id: "list/reverse",
      title: "reverse gives the keys from the last to the first",
      check: async ({ storage }) => {
        const keys = [...orderedKeys, ...orderedSegments.map((segment) => ["order", segment])]
        await fill(storage, recordsAt(keys))
        for (const prefix of [[], ["a"], ["order"]]) {
          await expectListed(storage, keys, prefix, { reverse: true })
          await expectListed(storage, keys, prefix, { reverse: false })
        }
      },
    },
    {
      id: "list/reverse-within-range",
      title: "with reverse, bounds mean the same and limit counts from the end",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(treeKeys))
        for (const prefix of treePrefixes) {
          for (const limit of [1, 3, undefined]) {
            for (const key of treeBounds) {
              await expectListed(storage, treeKeys, prefix, { gte: key, limit, reverse: true })
              await expectListed(storage, treeKeys, prefix, { lt: key, limit, reverse: true })
            }
            const range = { gt: ["a", "b"], lte: ["a", "\uFFFF"], limit, reverse: true }
            await expectListed(storage, treeKeys, prefix, range)
          }
        }
      },
    },
    {
      id: "list/boundary-keys",
      title: "a prefix selects its descendants up to the last Unicode character, and no neighbour",
      check: async ({ storage }) => {
        await fill(storage, recordsAt([...boundaryKeys, ...boundaryNeighbours]))
        const problem = "The range of a prefix begins or ends at the wrong key"
        expectSameList(await storage.list(["edge"]), boundaryKeys, problem)
        expectSameList(await storage.list(["edge"], { reverse: true }), boundaryKeys.toReversed(), problem)
        expectSameList(await storage.list(["edge", "\u{10FFFF}"]), boundaryKeys.slice(-1), problem)
      },
    },
    {
      id: "list/invalid-range",
      title: "a range that makes no sense is refused",
      check: async ({ storage }) => {
        for (const { flaw, range } of invalidRanges) {
          await expectRejection(() => storage.list([], range), "INVALID_ARGUMENT", `A range took ${flaw}`)
        }
      },
    },
    {
      id: "list/invalid-bounds",
      title: "a bound that cannot be a key is refused",
      check: async ({ storage }) => {
        for (const { flaw, bound } of invalidBounds) {
          for (const name of ["gt", "gte", "lt", "lte"]) {
            const problem = `${name} took a key with ${flaw}`
            await expectRejection(() => storage.list([], { [name]: bound }), "INVALID_KEY", problem, bound)
          }
        }
      },
    },
    {
      id: "list/many-keys",
      title: "3,000 keys come complete and in order",
      check: async ({ storage }) => {
        const groups = Array.from({ length: 30 }, (_, group) =>
          Array.from({ length: 100 }, (_, index) => ["many", `g${group}`, `k${index}`]),
        )
        for (const group of groups) await Promise.all(group.map((key) => storage.write(key, { at: key })))
        const keys = groups.flat()
        await expectListed(storage, keys, ["many"])
        await expectListed(storage, keys, [], { reverse: true, limit: 2500 })
      },
    },
  ],
}

function bound(name: "gt" | "gte" | "lt" | "lte", title: string): Contract {
  return {
    id: `list/${name}`,
    title,
    check: async ({ storage }) => {
      await fill(storage, recordsAt(treeKeys))
      for (const prefix of treePrefixes) {
        for (const key of treeBounds) await expectListed(storage, treeKeys, prefix, { [name]: key })
      }
    },
  }
}

async function expectListed(
  storage: Storage,
  keys: readonly Key[],
  prefix: Key,
  range: Range = {},
): Promise<void> {
  const problem = `list(${show(prefix)}, ${show(range)}) gave other keys than those selected`
  expectSameList(await storage.list(prefix, range), selectKeys(keys, [prefix], range), problem)
}

import type { Entry, Key, Storage } from "@sessile/core/storage"
import type { Contract } from "../contract.js"
import { expectSameList } from "./same-list.js"
import { updatedAt } from "./sample-sessions.js"

// More than an engine is likely to read at once, in one project; fewer in another.
const sessions = [600, 5].flatMap((count, project) =>
  Array.from({ length: count }, (_, number) => updatedAt(`p${project}`, `ses_${1000 + number}`, number % 7)),
)

/** When prefixes, ranges and queries are taken: see the group "Arguments". */
export const selectionArguments: readonly Contract[] = [
  {
    id: "arguments/list",
    title: "list takes the prefix and the range as they are at the call",
    check: async ({ storage }) => {
      await writeSessions(storage)
      const expected = await storage.list(somePrefix(), someRange())
      const [prefix, range] = [somePrefix(), someRange()]
      const listed = storage.list(prefix, range)
      spoilPrefix(prefix)
      spoilRange(range)
      expectSameList(await listed, expected, "list took what was changed after the call")
    },
  },
  {
    id: "arguments/scan",
    title: "scan takes the prefix and the options as they are at its first step",
    check: async ({ storage }) => {
      await writeSessions(storage)
      const expected = await keysOf(storage.scan(somePrefix(), someRange()))
      const [prefix, range] = [somePrefix(), someRange()]
      const scanned = keysOf(storage.scan(prefix, range), () => {
        spoilPrefix(prefix)
        spoilRange(range)
      })
      expectSameList(await scanned, expected, "scan took what was changed after its first step")
    },
  },
  {
    id: "arguments/scan-many",
    title: "scanMany takes the prefixes and the options as they are at its first step",
    check: async ({ storage }) => {
      await writeSessions(storage)
      const expected = await keysOf(storage.scanMany([somePrefix()], someRange()))
      const [prefix, range] = [somePrefix(), someRange()]
      const prefixes = [prefix]
      const scanned = keysOf(storage.scanMany(prefixes, range), () => {
        spoilPrefix(prefix)
        spoilRange(range)
        prefixes.push([])
      })
      expectSameList(await scanned, expected, "scanMany took what was changed after its first step")
    },
  },
  {
    id: "arguments/find",
    title: "find takes the query as it is at its first step",
    check: async ({ storage }) => {
      await writeSessions(storage)
      const expected = await keysOf(storage.find("sessions-by-project", someQuery()))
      const query = someQuery()
      const found = keysOf(storage.find("sessions-by-project", query), () => {
        query.equals[0] = "p1"
        Object.assign(query, { gt: 6, limit: 1, reverse: false })
      })
      expectSameList(await found, expected, "find took what was changed after its first step")
    },
  },
]

function somePrefix() {
  return ["session", "p0"]
}

function someRange() {
  return { gt: ["session", "p0", "ses_1020"], limit: 550, reverse: true }
}

function someQuery() {
  return { equals: ["p0"], gt: 0, limit: 510, reverse: true }
}

function spoilPrefix(prefix: string[]): void {
  prefix[1] = "p1"
}

function spoilRange(range: ReturnType<typeof someRange>): void {
  range.gt[2] = "ses_1590"
  Object.assign(range, { limit: 1, reverse: false })
}

/** The keys that an iteration gives, when `spoil` is called as soon as the first step was asked for. */
async function keysOf(iteration: AsyncIterable<Entry<unknown>>, spoil?: () => void): Promise<Key[]> {
  const iterator = iteration[Symbol.asyncIterator]()
  const keys: Key[] = []
  let step = iterator.next()
  spoil?.()
  for (let result = await step; !result.done; result = await step) {
    keys.push(result.value.key)
    step = iterator.next()
  }
  return keys
}

function writeSessions(storage: Storage): Promise<void> {
  return storage.batch(sessions.map(({ key, value }) => ({ type: "write", key, value })))
}

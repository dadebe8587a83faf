import { setImmediate as nextTurn } from "node:timers/promises"
import { compareKeys, type Storage } from "@sessile/core/storage"
import { ContractFailure, expectRejection, expectSame, expectThat, gather } from "../assertions.js"
import type { Contract, ContractGroup } from "../contract.js"
import { keyCalls, type MethodCall, prefixCalls } from "./method-calls.js"
import { fill, recordsAt, spacedKeys } from "./records.js"
import { expectAbsent, expectContents, expectSuccess } from "./store-contents.js"

const SESSION = ["session", "project", "ses_1"]

const closedCalls: readonly MethodCall[] = [
  ...keyCalls,
  ...prefixCalls,
  { method: "find", call: (storage) => gather(storage.find("sessions-by-updated")) },
]

export const lifeCycle: ContractGroup = {
  name: "Life cycle",
  required: true,
  contracts: [
    {
      id: "life-cycle/starts-empty",
      title: "a new store holds nothing",
      check: async ({ storage }) => {
        expectSame(await storage.list([]), [], "A new store listed records")
      },
    },
    {
      id: "life-cycle/close-twice",
      title: "closing twice is fine",
      check: async ({ storage }) => {
        await storage.close()
        await expectSuccess(() => storage.close(), "Closing a second time failed")
      },
    },
    {
      id: "life-cycle/dispose-closes",
      title: "disposing of a store closes it",
      check: async ({ storage }) => {
        await storage.write(SESSION, {})
        await storage[Symbol.asyncDispose]()
        await expectRejection(
          () => storage.read(SESSION),
          "CLOSED",
          "After Symbol.asyncDispose the store was still open",
        )
      },
    },
    {
      id: "life-cycle/close-waits-for-writes",
      title: "closing waits for the changes that are under way, and they take place",
      check: async (lab) => {
        const { durable } = lab.storage.capabilities
        await lab.storage.batch([
          { type: "write", key: ["updated"], value: { count: 1 } },
          { type: "write", key: ["removed"], value: {} },
        ])
        const written = recordsAt(spacedKeys(["record"], 20))
        await closeWhileUnderWay(lab.storage, [
          ...written.map(({ key, value }) => lab.storage.write(key, value)),
          lab.storage.update<{ count: number }>(["updated"], increment),
          lab.storage.remove(["removed"]),
          lab.storage.batch([{ type: "write", key: ["batched"], value: {} }]),
        ])
        if (!durable) return
        const expected = [
          { key: ["batched"], value: {} },
          ...written,
          { key: ["updated"], value: { count: 2 } },
        ]
        const problem = "Changes that were under way at close, and resolved, were not kept"
        await expectContents(await lab.reopen(), expected, problem)
      },
    },
    {
      id: "life-cycle/close-waits-for-reads",
      title: "closing waits for the reads that are under way, and they get their values",
      check: async ({ storage }) => {
        const records = recordsAt(spacedKeys(["record"], 20))
        await fill(storage, records)
        const reads = records.map(({ key }) => storage.read(key))
        await closeWhileUnderWay(storage, [...reads, storage.list([])])
        for (const [number, { key, value }] of records.entries()) {
          expectSame(await reads[number], value, "A read that was under way at close gave another value", key)
        }
      },
    },
    ...closedCalls.map(closedContract),
    {
      id: "life-cycle/closed-iteration",
      title: "an iteration that is open when the store is closed rejects with CLOSED at its next step",
      check: async ({ storage }) => {
        await fill(storage, recordsAt(["1", "2", "3"].map((id) => ["session", "project", id])))
        const iterations = [
          { method: "scan", items: storage.scan(["session"]) },
          { method: "scanMany", items: storage.scanMany([["session"]]) },
          { method: "find", items: storage.find("sessions-by-updated") },
        ].map(({ method, items }) => ({ method, iterator: items[Symbol.asyncIterator]() }))
        for (const { iterator } of iterations) await iterator.next()
        const untouched = storage.scan(["session"])[Symbol.asyncIterator]()
        await storage.close()
        for (const { method, iterator } of [...iterations, { method: "scan", iterator: untouched }]) {
          const problem = `An iteration of ${method} went on, or seemed complete, after the store was closed`
          await expectRejection(() => iterator.next(), "CLOSED", problem)
        }
      },
    },
    {
      id: "life-cycle/failures-are-rejections",
      title: "a method that fails rejects its promise and never throws",
      check: async ({ storage }) => {
        await expectNoThrow("write with an invalid value", () => storage.write(["a"], Number.NaN))
        for (const { method, call } of keyCalls) {
          await expectNoThrow(`${method} with an invalid key`, () => call(storage, []))
        }
        await expectNoThrow("list with an invalid prefix", () => storage.list([""]))
        await storage.close()
        for (const { method, call } of keyCalls) {
          await expectNoThrow(`${method} on a closed store`, () => call(storage, ["a"]))
        }
        await expectNoThrow("list on a closed store", () => storage.list([]))
      },
    },
    {
      id: "life-cycle/reopen-keeps-records",
      title: "reopening finds every record with its value, in order, and no removed one",
      needs: { durable: true },
      check: async (lab) => {
        const { storage } = lab
        const values = [null, false, 0, "", [], {}, "é\u0000\u2028😀", { b: 1, a: [{ d: -1.5e-7, c: null }] }]
        const names = ["é", "😀", "\uffff", "~", "a", "A\n", "\u0001", "漢"]
        const records = values.map((value, index) => ({ key: ["value", names[index] as string], value }))
        for (const { key, value } of records) await storage.write(key, value)
        await storage.write(["removed"], { id: 1 })
        await storage.remove(["removed"])
        await storage.write(["updated"], { count: 1 })
        await storage.update<{ count: number }>(["updated"], increment)
        await storage.batch([{ type: "write", key: ["value"], value: { from: "batch" } }])

        const reopened = await lab.reopen()
        const expected = [
          ...records,
          { key: ["updated"], value: { count: 2 } },
          { key: ["value"], value: { from: "batch" } },
        ].sort((a, b) => compareKeys(a.key, b.key))
        await expectContents(reopened, expected, "After reopening the store held other records")
        for (const { key, value } of expected) {
          expectSame(await reopened.read(key), value, "After reopening a record had another value", key)
        }
        await expectAbsent(reopened, ["removed"], "After reopening a removed record was back")
      },
    },
    {
      id: "life-cycle/reopen-many-times",
      title: "a store that is opened again and again keeps what each opening wrote",
      needs: { durable: true },
      check: async (lab) => {
        const records = recordsAt(spacedKeys(["record"], 10))
        let { storage } = lab
        await storage.write(["counter"], { count: 0 })
        for (const { key, value } of records) {
          await storage.write(key, value)
          const count = () => storage.update<{ count: number }>(["counter"], increment)
          await expectSuccess(count, "A record was gone after reopening", ["counter"])
          storage = await lab.reopen()
        }
        const expected = [{ key: ["counter"], value: { count: records.length } }, ...records]
        await expectContents(storage, expected, "After ten reopenings the store held other records")
      },
    },
  ],
}

function closedContract({ method, call }: MethodCall): Contract {
  return {
    id: `life-cycle/closed-${method === "scanMany" ? "scan-many" : method}`,
    title: `${method} rejects with CLOSED once close was called`,
    check: async ({ storage }) => {
      await storage.write(SESSION, {})
      const refused = (moment: string) =>
        expectRejection(
          () => call(storage, SESSION),
          "CLOSED",
          `${method} did not reject with CLOSED ${moment}`,
        )
      await Promise.all([storage.close(), refused("while the store was closing")])
      await refused("on a closed store")
    },
  }
}

async function closeWhileUnderWay(storage: Storage, underWay: readonly Promise<unknown>[]): Promise<void> {
  let settled = false
  const outcomes = Promise.allSettled(underWay).finally(() => {
    settled = true
  })
  await storage.close()
  // What was done before close resolved needs no more than this to be told.
  await nextTurn()
  expectThat(settled, "close resolved before what was under way had come to its end")
  for (const outcome of await outcomes) {
    const failure = outcome.status === "rejected" ? outcome.reason : undefined
    expectSame(failure, undefined, "What was under way when close was called did not succeed")
  }
}

async function expectNoThrow(what: string, call: () => Promise<unknown>): Promise<void> {
  let promise: Promise<unknown>
  try {
    promise = call()
  } catch (error) {
    const problem = `${what} threw at its caller`
    throw new ContractFailure({ problem, expected: "a rejected promise", actual: error })
  }
  // What it rejects with is for other contracts to see.
  await Promise.allSettled([promise])
}

function increment(draft: { count: number }): void {
  draft.count++
}

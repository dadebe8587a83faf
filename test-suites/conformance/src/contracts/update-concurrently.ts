import { setImmediate as nextTurn } from "node:timers/promises"
import { type Operation, type Storage, StorageError } from "@sessile/core/storage"
import { ContractFailure, expectSame, expectThat } from "../assertions.js"
import type { Contract } from "../contract.js"
import { expectAbsent, expectContents } from "./store-contents.js"

const KEY = ["counter"]

const GENERATIONS = 20

/** Updates at the same time as other changes of the same key. */
export const concurrentUpdates: readonly Contract[] = [
  {
    id: "update/concurrent-on-one-key",
    title: "of 50 updates of one key at once none is lost",
    check: async ({ storage }) => {
      await storage.write(KEY, { count: 0 })
      const given = await Promise.all(
        Array.from({ length: 50 }, () => storage.update<Counter>(KEY, increment)),
      )
      expectSame(await storage.read(KEY), { count: 50 }, "Updates at once were lost", KEY)
      expectCounted(given, "Two updates at once started from the same value")
    },
  },
  {
    id: "update/concurrent-on-many-keys",
    title: "of updates of many keys at once none is lost or mixed up",
    check: async ({ storage }) => {
      const keys = Array.from({ length: 10 }, (_, number) => ["counter", String(number)])
      await storage.batch(keys.map((key) => ({ type: "write", key, value: { key, count: 0 } })))
      const rounds = Array.from({ length: 10 }, () =>
        keys.map((key) => storage.update<Counter>(key, increment)),
      )
      await Promise.all(rounds.flat())
      const expected = keys.map((key) => ({ key, value: { key, count: 10 } }))
      await expectContents(storage, expected, "Updates of several keys at once were lost or mixed up")
    },
  },
  {
    id: "update/beside-writes",
    title: "updates and writes at once take place one after the other",
    check: ({ storage }) => expectSerial(storage, ({ key, value }) => storage.write(key, value)),
  },
  {
    id: "update/beside-batches",
    title: "updates and batches at once take place one after the other",
    check: ({ storage }) => expectSerial(storage, (operation) => storage.batch([operation])),
  },
  {
    id: "update/beside-removes",
    title: "an update never brings back a record that is removed meanwhile",
    check: async ({ storage }) => {
      // Later in each round, so that the removal meets every stage of an update.
      for (let turns = 0; turns < 6; turns++) {
        await storage.write(KEY, { count: 0 })
        const updates = Array.from({ length: 5 }, () => storage.update<Counter>(KEY, increment))
        const removal = afterTurns(turns, () => storage.remove(KEY))
        for (const outcome of await Promise.allSettled([removal, ...updates])) {
          if (outcome.status === "fulfilled" || StorageError.is(outcome.reason, "NOT_FOUND")) continue
          const problem = "An update beside a removal failed in another way than by finding nothing"
          throw new ContractFailure({ problem, key: KEY, expected: "NOT_FOUND", actual: outcome.reason })
        }
        await expectAbsent(storage, KEY, "An update brought back a record that had been removed")
      }
    },
  },
]

interface Counter {
  count: number
}

interface Generation extends Counter {
  readonly generation: number
}

type Write = Extract<Operation, { readonly type: "write" }>

/** Fails unless updates, and changes that start a new generation, look as if each had waited for the last. */
async function expectSerial(storage: Storage, change: (write: Write) => Promise<void>): Promise<void> {
  const start = (generation: number): Write => ({ type: "write", key: KEY, value: { generation, count: 0 } })
  await storage.batch([start(0)])
  const given: Generation[] = []
  let generation = 0
  let finished = false
  const startGenerations = async () => {
    try {
      for (let next = 1; next <= GENERATIONS; next++) {
        await afterTurns(next % 3, () => change(start(next)))
        generation = next
      }
    } finally {
      finished = true
    }
  }
  const updateMeanwhile = async () => {
    while (!finished) {
      const earliest = generation
      const value = await afterTurns(1, () => storage.update<Generation>(KEY, increment))
      expectThat(value.generation >= earliest, "An update overwrote what had been written meanwhile", KEY)
      given.push(value)
    }
  }
  await Promise.all([startGenerations(), updateMeanwhile(), updateMeanwhile()])
  for (let number = 0; number <= GENERATIONS; number++) {
    const counted = given.filter((value) => value.generation === number)
    expectCounted(counted, "Something came between the reading and the writing of an update")
  }
  const count = given.filter((value) => value.generation === GENERATIONS).length
  const last = { generation: GENERATIONS, count }
  expectSame(await storage.read(KEY), last, "Of updates and other changes at once, some were lost", KEY)
}

async function afterTurns<T>(turns: number, action: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < turns; turn++) await nextTurn()
  return action()
}

function expectCounted(given: readonly Counter[], problem: string): void {
  const counts = given.map(({ count }) => count).sort((a, b) => a - b)
  expectSame(
    counts,
    Array.from(counts, (_, index) => index + 1),
    problem,
    KEY,
  )
}

function increment(draft: Counter): void {
  draft.count++
}

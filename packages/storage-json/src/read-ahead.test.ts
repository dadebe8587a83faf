import { expect, test } from "vitest"
import { readAhead } from "./read-ahead.js"
import { gather } from "./testing/gather.js"

test("items come in order, however long each takes to load", async () => {
  const turns = [3, 0, 2, 1, 0, 4, 0]
  const load = async (item: number) => {
    for (let turn = 0; turn < (turns[item] ?? 0); turn++) await Promise.resolve()
    return item * 10
  }
  for (const window of [1, 2, 16]) {
    expect(await gather(readAhead(items(7), window, load))).toEqual([0, 10, 20, 30, 40, 50, 60])
  }
})

test("no more than a window is loaded ahead of the consumer", async () => {
  let loaded = 0
  let used = 0
  const load = async (item: number) => {
    loaded++
    return item
  }
  for await (const item of readAhead(items(20), 4, load)) {
    expect(item).toBe(used++)
    expect(loaded).toBeLessThanOrEqual(used + 3)
  }
  expect(loaded).toBe(20)
})

test("a consumer that stops ends the source", async () => {
  let ended = false
  async function* source() {
    try {
      yield* items(20)
    } finally {
      ended = true
    }
  }
  for await (const item of readAhead(source(), 4, async (number) => number)) if (item === 2) break
  expect(ended).toBe(true)
})

async function* items(count: number): AsyncGenerator<number, void, void> {
  for (let item = 0; item < count; item++) yield item
}

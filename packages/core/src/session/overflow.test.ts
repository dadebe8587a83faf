import { expect, it } from "vitest"
import { isOverflow, outputTokenBudget } from "./overflow.js"

const limit = { context: 100_000, output: 8_000 }

it("an answer is left what the model can give, but at most 32,000 tokens", () => {
  expect(outputTokenBudget(limit)).toBe(8_000)
  expect(outputTokenBudget({ context: 100_000, output: 64_000 })).toBe(32_000)
})

it.each([
  [limit, 92_000],
  [{ context: 100_000, output: 64_000 }, 68_000],
  [{ context: 100_000, output: 8_000, input: 50_000 }, 50_000],
  [{ context: 100_000, output: 8_000, input: 0 }, 92_000],
])("with %j the context overflows beyond %d tokens", (limits, usable) => {
  expect(isOverflow(used(usable), limits)).toBe(false)
  expect(isOverflow(used(usable + 1), limits)).toBe(true)
})

it("a context of unknown size never overflows", () => {
  expect(isOverflow(used(1e9), { context: 0, output: 8_000 })).toBe(false)
  expect(isOverflow(used(1e9), { context: 0, output: 8_000, input: 50_000 })).toBe(false)
})

/** Input, output and what was read from the cache count; the rest does not. */
function used(count: number) {
  return { input: count - 30, output: 10, reasoning: 500, cache: { read: 20, write: 700 } }
}

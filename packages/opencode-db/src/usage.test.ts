import { expect, test } from "vitest"
import { usageOf } from "./usage.js"

test("answers add up exactly, however many there are", () => {
  const answer = { role: "assistant", cost: 0.1, tokens: { input: 3, cache: { read: 1.5 } } }
  const usage = usageOf([{ role: "user", cost: 9 }, ...Array(200_000).fill(answer)])
  expect(usage).toMatchObject({ cost: 20_000, tokens_input: 600_000, tokens_cache_read: 300_000 })
})

test("whole numbers and fractions add up together, and what is no number counts for nothing", () => {
  const costs = [0.1, 2, 0.2, Number.NaN, -1, "3", 2 ** 53, null]
  expect(usageOf(costs.map((cost) => ({ role: "assistant", cost }))).cost).toBe(2 ** 53 + 2)
})

import { describe, expect, it } from "vitest"
import { readStore } from "./testing/store.js"
import { usageOf } from "./usage.js"

const cost = { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } }

describe("usageOf", () => {
  it("agrees with what opencode stored", () => {
    const answers = readStore("v1.1.65")
      .flatMap(({ messages }) => messages.map(({ info }) => info))
      .filter((info) => info.role === "assistant" && info.finish !== undefined)
    expect(answers.length).toBeGreaterThan(20)
    for (const info of answers) {
      if (info.role !== "assistant") continue
      const { total, input, output, reasoning, cache } = info.tokens
      const usage = {
        inputTokens: input + cache.read,
        outputTokens: output,
        totalTokens: total,
        reasoningTokens: reasoning,
        cachedInputTokens: cache.read,
      }
      expect(usageOf({ model: { cost }, usage })).toEqual({ tokens: info.tokens, cost: info.cost })
    }
  })

  it("subtracts cached tokens from the input where the provider counts them in", () => {
    const usage = { inputTokens: 1000, outputTokens: 10, totalTokens: 1010, cachedInputTokens: 400 }
    const { tokens } = usageOf({ model: {}, usage, metadata: { openai: {} } })
    expect(tokens).toEqual({
      total: 1010,
      input: 600,
      output: 10,
      reasoning: 0,
      cache: { read: 400, write: 0 },
    })
  })

  it.each([
    ["Anthropic", { anthropic: { cacheCreationInputTokens: 50 } }],
    ["Bedrock", { bedrock: { usage: { cacheWriteInputTokens: 50 } } }],
  ])(
    "leaves the input of %s alone, which counts cached tokens apart, and finds what was written",
    (_, metadata) => {
      const usage = { inputTokens: 1000, outputTokens: 10, totalTokens: 1010, cachedInputTokens: 400 }
      const { tokens } = usageOf({ model: { cost }, usage, metadata })
      expect(tokens).toEqual({
        total: 1460,
        input: 1000,
        output: 10,
        reasoning: 0,
        cache: { read: 400, write: 50 },
      })
    },
  )

  it("prices the cache, and reasoning as output", () => {
    const usage = { inputTokens: 1000, outputTokens: 10, reasoningTokens: 20, cachedInputTokens: 400 }
    const metadata = { anthropic: { cacheCreationInputTokens: 50 } }
    const dollars = (1000 * 3 + 30 * 15 + 400 * 0.3 + 50 * 3.75) / 1e6
    expect(usageOf({ model: { cost }, usage, metadata }).cost).toBe(dollars)
  })

  it.each([
    { inputTokens: 200_000, cachedInputTokens: 150_000, dollars: 0.2 },
    { inputTokens: 200_001, cachedInputTokens: 150_000, dollars: 0.400002 },
  ])("applies the higher prices once input and cache together exceed 200,000", ({ dollars, ...usage }) => {
    const flat = (price: number) => ({ input: price, output: price, cache: { read: price, write: price } })
    expect(usageOf({ model: { cost: { ...flat(1), experimentalOver200K: flat(2) } }, usage }).cost).toBe(
      dollars,
    )
    expect(usageOf({ model: { cost: flat(1) }, usage }).cost).toBe(usage.inputTokens / 1e6)
  })

  it("counts as 0 what is missing, not finite, or negative after the subtraction", () => {
    const nothing = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
    const of = (usage: object, metadata?: Record<string, unknown>) =>
      usageOf({ model: { cost }, usage, metadata })
    expect(of({})).toEqual({ tokens: { total: 0, ...nothing }, cost: 0 })
    expect(of({ inputTokens: Number.NaN, outputTokens: Number.POSITIVE_INFINITY })).toEqual(of({}))
    expect(of({ inputTokens: -5, reasoningTokens: Number.NEGATIVE_INFINITY })).toEqual(of({}))
    expect(of({ inputTokens: 100, cachedInputTokens: 400 }).tokens.input).toBe(0)
    expect(of({}, { anthropic: { cacheCreationInputTokens: "many" }, bedrock: null })).toEqual(of({}))
    expect(
      usageOf({ model: { cost: { input: Number.NaN, output: 1 } }, usage: { inputTokens: 9 } }).cost,
    ).toBe(0)
  })

  it("costs nothing without prices", () => {
    expect(usageOf({ model: {}, usage: { inputTokens: 1000 } }).cost).toBe(0)
  })

  it("gives the number nearest to the exact cost where adding numbers does not", () => {
    expect((0.1 + 0.2 + 0.3) / 1e6).not.toBe(6e-7)
    const prices = { input: 0.1, output: 0.2, cache: { read: 0.3, write: 0 } }
    const usage = { inputTokens: 2, outputTokens: 1, cachedInputTokens: 1 }
    expect(usageOf({ model: { cost: prices }, usage }).cost).toBe(6e-7)
  })
})

import { usageOf } from "@sessile/core/session"
import { simulateReadableStream } from "ai"
import { MockLanguageModelV3 } from "ai/test"
import { describe, expect, test } from "vitest"
import { aiSdkDriver } from "./ai-sdk-driver.js"
import { read } from "./testing/requests.js"

type Stream = Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"]
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never

const prices = { cost: { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } } }
const cached = counts({ total: 1000, noCache: 100, cacheRead: 700, cacheWrite: 200 })

describe("the input of a request", () => {
  test("is counted without cached tokens where the provider is Anthropic", async () => {
    const providerMetadata = { anthropic: { cacheCreationInputTokens: 200 } }
    expect(await usageFrom({ usage: cached, providerMetadata })).toEqual({
      total: 1020,
      input: 100,
      output: 20,
      reasoning: 0,
      cache: { read: 700, write: 200 },
    })
  })

  test("is counted without cached tokens where the provider is Bedrock", async () => {
    const providerMetadata = { bedrock: { usage: { cacheWriteInputTokens: 200 } } }
    const tokens = await usageFrom({ usage: cached, providerMetadata })
    expect(tokens).toMatchObject({ input: 100, cache: { read: 700, write: 200 } })
  })

  test("is counted as it is where Anthropic does not tell what was cached", async () => {
    const usage = counts({ total: 100, noCache: undefined, cacheRead: undefined, cacheWrite: undefined })
    const tokens = await usageFrom({ usage, providerMetadata: { anthropic: {} } })
    expect(tokens).toMatchObject({ input: 100, cache: { read: 0, write: 0 } })
  })

  test("is counted with cached tokens where it is anybody else", async () => {
    const usage = counts({ total: 1000, noCache: 300, cacheRead: 700, cacheWrite: undefined })
    const tokens = await usageFrom({ usage, providerMetadata: { openai: {} } })
    expect(tokens).toMatchObject({ total: 1020, input: 300, cache: { read: 700, write: 0 } })
  })
})

test("a model that gives no reason to finish has an unknown one", async () => {
  const events = await read(driverOf([finishPart({ finishReason: { unified: "other", raw: undefined } })]))
  expect(events.find(({ type }) => type === "finish-step")).toMatchObject({ finishReason: "unknown" })
})

test("what a provider notes comes along with the pieces that it is about", async () => {
  const providerMetadata = { anthropic: { signature: "x" } }
  const events = await read(
    driverOf([
      { type: "reasoning-start", id: "1" },
      { type: "reasoning-delta", id: "1", delta: "Hm", providerMetadata },
      { type: "reasoning-end", id: "1", providerMetadata },
      { type: "tool-call", toolCallId: "call_1", toolName: "bash", input: "{}", providerMetadata },
      finishPart(),
    ]),
  )
  const noted = events.filter((event) => "providerMetadata" in event && event.providerMetadata !== undefined)
  expect(noted.map(({ type }) => type)).toEqual(["reasoning-delta", "reasoning-end", "tool-call"])
})

describe("a tool that the provider runs", () => {
  const call = {
    type: "tool-call",
    toolCallId: "call_1",
    toolName: "web_search",
    input: '{"query":"x"}',
    providerExecuted: true,
    dynamic: true,
  } as const

  test("comes with its result", async () => {
    const events = await read(
      driverOf([
        {
          type: "tool-input-start",
          id: "call_1",
          toolName: "web_search",
          providerExecuted: true,
          dynamic: true,
        },
        { type: "tool-input-end", id: "call_1" },
        call,
        { type: "tool-result", toolCallId: "call_1", toolName: "web_search", result: { hits: 2 } },
        finishPart(),
      ]),
    )
    expect(events.filter(({ type }) => type.startsWith("tool-"))).toEqual([
      { type: "tool-input-start", id: "call_1", toolName: "web_search", providerExecuted: true },
      { type: "tool-input-end", id: "call_1" },
      {
        type: "tool-call",
        toolCallID: "call_1",
        toolName: "web_search",
        input: { query: "x" },
        providerExecuted: true,
      },
      { type: "tool-result", toolCallID: "call_1", output: { output: '{"hits":2}' } },
    ])
  })

  test("gives a text as it is", async () => {
    const result = {
      type: "tool-result",
      toolCallId: "call_1",
      toolName: "web_search",
      result: "two hits",
    } as const
    const events = await read(driverOf([call, result, finishPart()]))
    expect(events).toContainEqual({
      type: "tool-result",
      toolCallID: "call_1",
      output: { output: "two hits" },
    })
  })

  test.each([
    ["a text", "unavailable", "unavailable"],
    ["an object", { code: "unavailable" }, '{"code":"unavailable"}'],
  ])("fails with %s", async (_, reported, error) => {
    const result = {
      type: "tool-result",
      toolCallId: "call_1",
      toolName: "web_search",
      result: reported,
      isError: true,
    } as const
    const events = await read(driverOf([call, result, finishPart()]))
    expect(events).toContainEqual({ type: "tool-error", toolCallID: "call_1", error })
  })
})

test("sources and files, which no part of a message can hold, are left out", async () => {
  const events = await read(
    driverOf([
      { type: "source", sourceType: "url", id: "1", url: "https://example.com" },
      { type: "file", mediaType: "image/png", data: "iVBORw0K" },
      finishPart(),
    ]),
  )
  expect(events.map(({ type }) => type)).toEqual(["start", "start-step", "finish-step", "finish"])
})

function driverOf(parts: readonly StreamPart[]) {
  const chunks: StreamPart[] = [{ type: "stream-start", warnings: [] }, ...parts]
  const stream = simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null })
  return aiSdkDriver({ model: new MockLanguageModelV3({ doStream: async () => ({ stream }) }) })
}

function finishPart(fields: Partial<StreamPart & { type: "finish" }> = {}): StreamPart {
  return { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: cached, ...fields }
}

function counts(inputTokens: (StreamPart & { type: "finish" })["usage"]["inputTokens"]) {
  return { inputTokens, outputTokens: { total: 20, text: 20, reasoning: 0 } }
}

/** How the engine counts a request that ended this way. */
async function usageFrom(fields: Partial<StreamPart & { type: "finish" }>) {
  const events = await read(driverOf([finishPart(fields)]))
  const step = events.find((event) => event.type === "finish-step")
  if (step === undefined) throw new Error("The step did not finish")
  return usageOf({ model: prices, usage: step.usage, metadata: step.providerMetadata }).tokens
}

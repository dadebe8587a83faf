import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ModelError } from "../../model/model-error.js"
import { DriverError } from "../driver-error.js"
import type { DriverEvent, ModelDriver, ModelRequest } from "../model-driver.js"
import type { RecordingOptions } from "./identify-request.js"
import { recordDriver } from "./record-driver.js"
import type { RecordedExchange } from "./recording.js"
import { RecordingError } from "./recording-error.js"
import { replayDriver } from "./replay-driver.js"

const hello: readonly DriverEvent[] = [
  { type: "start" },
  { type: "start-step" },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", text: "Hello", providerMetadata: { acme: { signature: "x" } } },
  { type: "text-end", id: "1" },
  { type: "finish-step", finishReason: "stop", usage: { inputTokens: 3, outputTokens: 1 } },
  { type: "finish" },
]

describe("recording", () => {
  test("leaves the stream as it is", async () => {
    const driver = recordDriver(saying(hello), () => undefined)
    expect(await read(driver, requestOf("Hi"))).toEqual(hello)
  })

  test("hands over an exchange when it has ended, and waits for the sink", async () => {
    const order: string[] = []
    const driver = recordDriver(saying(hello), async ({ events }) => {
      await Promise.resolve()
      order.push(`sink: ${events.length}`)
    })
    for await (const { type } of driver.stream(requestOf("Hi"))) order.push(type)
    order.push("read")
    expect(order).toEqual([...hello.map(({ type }) => type), `sink: ${hello.length}`, "read"])
  })

  test("keeps no word of what was asked", async () => {
    const [exchange] = await recordAll(saying(hello), [requestOf("my password is 1234")])
    expect(exchange?.request).toEqual({
      model: "acme/large",
      messages: 1,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test("keeps what came before the reader left", async () => {
    const exchanges: RecordedExchange[] = []
    const driver = recordDriver(saying(hello), (exchange) => exchanges.push(exchange))
    for await (const { type } of driver.stream(requestOf("Hi"))) if (type === "text-delta") break
    expect(exchanges).toMatchObject([{ events: hello.slice(0, 4) }])
    expect(exchanges[0]).not.toHaveProperty("aborted")
  })
})

describe("replaying", () => {
  test("any stream comes out as it went in", async () => {
    const id = fc.string()
    const json = fc.jsonValue({ maxDepth: 2 })
    const event = fc.oneof(
      fc.record({
        type: fc.constantFrom("text-delta" as const, "reasoning-delta" as const),
        id,
        text: fc.string(),
      }),
      fc.record({ type: fc.constant("tool-input-delta" as const), id, delta: fc.string() }),
      fc.record({
        type: fc.constant("tool-call" as const),
        toolCallID: id,
        toolName: fc.string(),
        input: json,
      }),
      fc.record({
        type: fc.constant("finish-step" as const),
        finishReason: fc.string(),
        usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.option(fc.nat(), { nil: undefined }) }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 5 }), async (events) => {
        const expected = JSON.parse(JSON.stringify(events))
        const exchanges = await recordAll(saying(events), [requestOf("Hi")])
        expect(await read(replay(exchanges), requestOf("Hi"))).toEqual(expected)
      }),
    )
  })

  test("the session, the signal and the order of properties do not matter", async () => {
    const exchanges = await recordAll(saying(hello), [
      { ...requestOf("Hi"), sessionID: "ses_1", providerOptions: { acme: { a: 1, b: 2 } } },
    ])
    const request = { ...requestOf("Hi"), sessionID: "ses_2", providerOptions: { acme: { b: 2, a: 1 } } }
    expect(await read(replay(exchanges), request)).toEqual(hello)
  })

  test.each<[string, Partial<ModelRequest>]>([
    ["model", { model: { providerID: "acme", modelID: "small", limit: { context: 0, output: 0 } } }],
    ["messages", { messages: [] }],
    ["text", { messages: requestOf("Hi there").messages }],
    ["tools", { tools: [{ name: "read", description: "Reads", inputSchema: {} }] }],
    ["temperature", { temperature: 1 }],
    ["options of the provider", { providerOptions: { acme: { effort: "high" } } }],
  ])("another %s is a mismatch", async (_, change) => {
    const exchanges = await recordAll(saying(hello), [requestOf("Hi")])
    const driver = replay(exchanges)
    const error = await failure(read(driver, { ...requestOf("Hi"), ...change }))
    expect(RecordingError.is(error, "MISMATCH")).toBe(true)
    expect(driver.remaining).toBe(1)
  })

  test("a mismatch says what was asked and what comes next, and quotes neither", async () => {
    const exchanges = await recordAll(saying(hello), [requestOf("secret one")])
    const error = await failure(read(replay(exchanges), requestOf("secret two")))
    expect(String(error)).toMatch(
      /asks for an answer of acme\/large to 1 messages \([0-9a-f]{8}\), which was not recorded; what comes next is an answer/,
    )
    expect(String(error)).not.toContain("secret")
  })

  test("a run that asks for more than was recorded is told so", async () => {
    const driver = replay(await recordAll(saying(hello), [requestOf("Hi")]))
    await read(driver, requestOf("Hi"))
    const error = await failure(read(driver, requestOf("Hi")))
    expect(RecordingError.is(error, "EXHAUSTED")).toBe(true)
    expect(String(error)).toContain("all 1 exchanges of the recording are used up")
  })

  test("equal requests get their answers in order, different ones in any", async () => {
    let count = 0
    const counting: ModelDriver = {
      async *stream() {
        yield { type: "text-delta", id: "1", text: String(++count) }
      },
    }
    const exchanges = await recordAll(counting, [requestOf("a"), requestOf("b"), requestOf("a")])
    const driver = replay(exchanges)
    const answers: DriverEvent[] = []
    for (const text of ["b", "a", "a"]) answers.push(...(await read(driver, requestOf(text))))
    expect(answers.map((event) => "text" in event && event.text)).toEqual(["2", "1", "3"])
    expect(driver.remaining).toBe(0)
  })

  test("what may change is left out by both with the same function", async () => {
    const options: RecordingOptions = { asked: ({ messages }) => messages.length }
    const exchanges = await recordAll(saying(hello), [requestOf("Today is Monday")], options)
    const driver = replayDriver({ version: 1, exchanges }, options)
    expect(await read(driver, requestOf("Today is Tuesday"))).toEqual(hello)
  })

  test("what is no recording is refused, with the field and without its content", () => {
    const broken = () => replayDriver({ version: 1, exchanges: [{ request: "secret", events: [{}] }] })
    expect(broken).toThrow(ModelError)
    expect(broken).toThrow(
      /exchanges\.0\.request: .*exchanges\.0\.events\.0: .*expected an event with a type/,
    )
    expect(broken).not.toThrow(/secret/)
    expect(() => replayDriver({ version: 2, exchanges: [] })).toThrow(/version/)
  })
})

describe("failures", () => {
  test("an error of the driver comes back with all that the engine looks at", async () => {
    const details = {
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { "retry-after": "2" },
      responseBody: "{}",
      metadata: { url: "http://127.0.0.1/v1" },
    }
    const original = new DriverError("api", "Slow down", { ...details, cause: new Error("inner") })
    const exchanges = await recordAll(saying(hello.slice(0, 2), original), [requestOf("Hi")])
    const events: DriverEvent[] = []
    const error = await failure(read(replay(exchanges), requestOf("Hi"), events))
    expect(events).toEqual(hello.slice(0, 2))
    expect(DriverError.is(error)).toBe(true)
    expect(error).toMatchObject({ name: "DriverError", kind: "api", message: "Slow down", ...details })
  })

  test("other errors keep name, message and code", async () => {
    const original = Object.assign(new TypeError("read ECONNRESET"), { code: "ECONNRESET" })
    const exchanges = await recordAll(saying([], original), [requestOf("Hi")])
    const error = await failure(read(replay(exchanges), requestOf("Hi")))
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: "TypeError", message: "read ECONNRESET", code: "ECONNRESET" })
  })

  test("what was thrown in place of an error comes back as its message", async () => {
    const exchanges = await recordAll(saying([], "no error"), [requestOf("Hi")])
    await expect(read(replay(exchanges), requestOf("Hi"))).rejects.toThrow("no error")
  })

  test("an error event stays an event", async () => {
    const events: DriverEvent[] = [
      { type: "start" },
      { type: "error", error: new DriverError("authentication", "No key") },
      { type: "finish" },
    ]
    const exchanges = await recordAll(saying(events), [requestOf("Hi")])
    const replayed = await read(replay(exchanges), requestOf("Hi"))
    expect(replayed.map(({ type }) => type)).toEqual(["start", "error", "finish"])
    expect(replayed[1]).toMatchObject({ error: { kind: "authentication", message: "No key" } })
  })

  test("a request that was aborted waits for the signal at the same place", async () => {
    const recorded = await recordAborted()
    expect(recorded).toMatchObject([{ events: hello.slice(0, 4), aborted: true }])

    const abort = new AbortController()
    const events: DriverEvent[] = []
    const reading = read(replay(recorded), { ...requestOf("Hi"), signal: abort.signal }, events)
    await expect.poll(() => events.length).toBe(4)
    abort.abort(new Error("Enough"))
    await expect(reading).rejects.toThrow("Enough")
  })

  test("an abort that comes earlier ends the replay there", async () => {
    const recorded = await recordAborted()
    const abort = new AbortController()
    const events: DriverEvent[] = []
    const reading = (async () => {
      for await (const event of replay(recorded).stream({ ...requestOf("Hi"), signal: abort.signal })) {
        events.push(event)
        if (event.type === "start-step") abort.abort(new Error("Enough"))
      }
    })()
    await expect(reading).rejects.toThrow("Enough")
    expect(events).toEqual(hello.slice(0, 2))
  })
})

async function recordAborted(): Promise<RecordedExchange[]> {
  const abort = new AbortController()
  const exchanges: RecordedExchange[] = []
  const endless: ModelDriver = {
    async *stream({ signal }) {
      yield* hello.slice(0, 4)
      signal.throwIfAborted()
    },
  }
  const driver = recordDriver(endless, (exchange) => exchanges.push(exchange))
  const reading = (async () => {
    for await (const { type } of driver.stream({ ...requestOf("Hi"), signal: abort.signal })) {
      if (type === "text-delta") abort.abort(new Error("Stop"))
    }
  })()
  await expect(reading).rejects.toThrow("Stop")
  return exchanges
}

function saying(events: readonly DriverEvent[], ...thrown: unknown[]): ModelDriver {
  return {
    async *stream() {
      yield* events
      for (const error of thrown) throw error
    },
  }
}

function requestOf(text: string): ModelRequest {
  return {
    model: { providerID: "acme", modelID: "large", limit: { context: 100_000, output: 1000 } },
    sessionID: "ses_1",
    messages: [{ role: "user", content: [{ type: "text", text }] }],
    tools: [],
    signal: new AbortController().signal,
  }
}

/** Records these requests, one after the other, whether they fail or not. */
async function recordAll(
  driver: ModelDriver,
  requests: readonly ModelRequest[],
  options?: RecordingOptions,
): Promise<RecordedExchange[]> {
  const exchanges: RecordedExchange[] = []
  const recorder = recordDriver(driver, (exchange) => exchanges.push(exchange), options)
  for (const request of requests) await Promise.allSettled([read(recorder, request)])
  return exchanges
}

function replay(exchanges: readonly RecordedExchange[]) {
  return replayDriver(JSON.parse(JSON.stringify({ version: 1, exchanges })))
}

async function read(
  driver: ModelDriver,
  request: ModelRequest,
  events: DriverEvent[] = [],
): Promise<DriverEvent[]> {
  for await (const event of driver.stream(request)) events.push(event)
  return events
}

function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("nothing failed"),
    (error: unknown) => error,
  )
}

import { inspect } from "node:util"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { DriverError } from "@sessile/core/engine"
import { answer, cut, end, inOrder, ModelServer, pause, raw, refusal, text } from "@sessile/model-server"
import { LoadAPIKeyError } from "ai"
import { MockLanguageModelV3 } from "ai/test"
import { afterEach, describe, expect, test, vi } from "vitest"
import { aiSdkDriver } from "./ai-sdk-driver.js"
import { connect } from "./testing/connect.js"
import { failure, read, requestOf } from "./testing/requests.js"

const secret = requestOf({ messages: [{ role: "user", content: [{ type: "text", text: "my secret" }] }] })

afterEach(() => {
  vi.restoreAllMocks()
})

describe("an answer with a status of failure", () => {
  test.each([
    [401, "bad key", false],
    [429, "Slow down", true],
    [500, "Out of order", true],
    [400, "Too long", false],
  ])(
    "of %i tells all that the provider said, and whether to try again",
    async (status, message, isRetryable) => {
      await using connection = await connect(() => refusal(status, message, { "retry-after": "2" }))
      const error = await failure(read(connection.driver, secret))

      expect(DriverError.is(error)).toBe(true)
      expect(error).toMatchObject({
        kind: "api",
        message,
        statusCode: status,
        isRetryable,
        responseHeaders: { "content-type": "application/json", "retry-after": "2" },
        responseBody: JSON.stringify({ error: { message } }),
        metadata: { url: `${connection.server.url}/chat/completions` },
      })
      expect(connection.server.requests).toHaveLength(1)
    },
  )

  test("that is no JSON is told by its status", async () => {
    await using connection = await connect(() => ({ ...refusal(502, ""), body: "<html>Bad gateway</html>" }))
    const error = await failure(read(connection.driver))
    expect(error).toMatchObject({
      message: "Bad Gateway",
      statusCode: 502,
      responseBody: "<html>Bad gateway</html>",
    })
  })

  test("shows neither what was sent nor the query of the address", async () => {
    await using server = await ModelServer.start(() => refusal(401, "bad key"))
    const provider = createOpenAICompatible({
      name: "mock",
      baseURL: server.url,
      apiKey: "sk-hidden",
      fetch: (_, init) => fetch(`${server.url}/chat/completions`, init),
      queryParams: { key: "sk-hidden" },
    })
    const error = await failure(read(aiSdkDriver({ model: provider("large") }), secret))
    expect(error).toMatchObject({ metadata: { url: `${server.url}/chat/completions` } })
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/my secret|sk-hidden/)
  })

  test("is printed nowhere", async () => {
    const printed = (["log", "info", "warn", "error"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    )
    await using connection = await connect(() => refusal(401, "bad key"))
    const messages = [{ role: "system", content: "Be brief." }, ...secret.messages] as const
    await failure(read(connection.driver, requestOf({ messages })))
    for (const method of printed) expect(method).not.toHaveBeenCalled()
  })
})

describe("a connection", () => {
  test("that breaks amid the answer gives what came, then an error to try again after", async () => {
    await using connection = await connect(() => answer(text("Hel", "lo"), cut()))
    const texts: string[] = []
    const reading = read(connection.driver, requestOf(), (event) => {
      if (event.type === "text-delta") texts.push(event.text)
    })
    const error = await failure(reading)
    expect(texts).toEqual(["Hel", "lo"])
    expect(DriverError.is(error)).toBe(true)
    expect(error).toMatchObject({
      kind: "api",
      message: "The connection to the provider broke",
      isRetryable: true,
      statusCode: undefined,
    })
  })

  test("that breaks before the answer is an error to try again after", async () => {
    await using connection = await connect(() => answer(cut()))
    expect(await failure(read(connection.driver))).toMatchObject({ kind: "api", isRetryable: true })
  })

  test("to nobody is an error to try again after", async () => {
    const connection = await connect(inOrder())
    await connection[Symbol.asyncDispose]()
    const error = await failure(read(connection.driver))
    expect(error).toMatchObject({ kind: "api", isRetryable: true, statusCode: undefined })
    expect(String(error)).toContain("Cannot connect")
  })
})

describe("a stream", () => {
  test.each([
    ["after some text", answer(text("So"), end())],
    ["at once", answer(end())],
  ])("that ends %s without a reason is an error to try again after", async (_, reply) => {
    await using connection = await connect(() => reply)
    const error = await failure(read(connection.driver))
    expect(error).toMatchObject({ kind: "api", isRetryable: true })
  })

  test("with a line that is no JSON is an error that does not quote it", async () => {
    await using connection = await connect(() => answer(text("So"), raw("data: {my secret\n\n"), text("on")))
    const error = await failure(read(connection.driver))
    expect(error).toMatchObject({
      kind: "api",
      message: "The provider sent what the AI SDK does not understand",
    })
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("my secret")
  })

  test("in which the provider reports an error gives its message and all of it", async () => {
    const reported = { message: "Overloaded", type: "overloaded_error" }
    await using connection = await connect(() =>
      answer(text("So"), raw(`data: ${JSON.stringify({ error: reported })}\n\n`)),
    )
    const error = await failure(read(connection.driver))
    expect(error).toMatchObject({ kind: "api", message: "Overloaded" })
    expect(JSON.parse((error as DriverError).responseBody ?? "")).toMatchObject(reported)
  })
})

describe("errors of a provider", () => {
  test.each([
    [
      "a missing key",
      new LoadAPIKeyError({ message: "No key" }),
      { kind: "authentication", message: "No key" },
    ],
    ["a text", "Overloaded", { kind: "api", message: "Overloaded", responseBody: undefined }],
    ["nothing", null, { kind: "api", message: "The provider reported an error", responseBody: "null" }],
    [
      "a reset deep inside",
      new Error("failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) }),
      { kind: "api", isRetryable: true },
    ],
  ])("%s is given as one of a driver", async (_, thrown, expected) => {
    const error = await failure(read(failing(thrown)))
    expect(DriverError.is(error)).toBe(true)
    expect(error).toMatchObject(expected)
  })

  test("that nobody knows stay what they are", async () => {
    const unknown = new RangeError("odd")
    expect(await failure(read(failing(unknown)))).toBe(unknown)
  })
})

describe("an abort", () => {
  test("amid the answer throws its reason, and ends the request", async () => {
    await using connection = await connect(() => answer(text("Hel"), pause(never)))
    const abort = new AbortController()
    const reason = new Error("Enough")
    const reading = read(connection.driver, requestOf({ signal: abort.signal }), (event) => {
      if (event.type === "text-delta") abort.abort(reason)
    })
    expect(await failure(reading)).toBe(reason)
    expect(await connection.server.requests[0]?.outcome).toBe("broken")
  })

  test("before the answer throws its reason, and ends the request", async () => {
    const abort = new AbortController()
    const reason = new Error("Enough")
    await using connection = await connect(() => {
      abort.abort(reason)
      return answer(pause(never))
    })
    expect(await failure(read(connection.driver, requestOf({ signal: abort.signal })))).toBe(reason)
    expect(await connection.server.requests[0]?.outcome).toBe("broken")
  })

  test("before the request makes none", async () => {
    await using connection = await connect(inOrder())
    const reason = new Error("Enough")
    const request = requestOf({ signal: AbortSignal.abort(reason) })
    expect(await failure(read(connection.driver, request))).toBe(reason)
    expect(connection.server.requests).toEqual([])
  })

  test("without a reason throws that of the platform", async () => {
    await using connection = await connect(inOrder())
    const request = requestOf({ signal: AbortSignal.abort() })
    expect(await failure(read(connection.driver, request))).toMatchObject({ name: "AbortError" })
  })
})

test("leaving the stream ends the request", async () => {
  await using connection = await connect(() => answer(text("Hel"), pause(never)))
  for await (const event of connection.driver.stream(requestOf())) if (event.type === "text-delta") break
  expect(await connection.server.requests[0]?.outcome).toBe("broken")
})

function failing(error: unknown) {
  const model = new MockLanguageModelV3({
    doStream: async () => {
      throw error
    },
  })
  return aiSdkDriver({ model })
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

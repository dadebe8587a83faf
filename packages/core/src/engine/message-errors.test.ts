import { describe, expect, it } from "vitest"
import { DriverError } from "./driver-error.js"
import { isRetryable, toMessageError } from "./message-errors.js"

describe("toMessageError", () => {
  it("keeps all that a provider answered", () => {
    const error = new DriverError("api", "bad key", {
      statusCode: 401,
      responseHeaders: { "content-type": "application/json" },
      responseBody: "{}",
      metadata: { url: "http://127.0.0.1/v1" },
    })
    expect(toMessageError(error, "mock")).toEqual({
      name: "APIError",
      data: {
        message: "bad key",
        statusCode: 401,
        isRetryable: false,
        responseHeaders: { "content-type": "application/json" },
        responseBody: "{}",
        metadata: { url: "http://127.0.0.1/v1" },
      },
    })
  })

  it.each([
    [
      new DriverError("authentication", "no key"),
      { name: "ProviderAuthError", data: { providerID: "mock", message: "no key" } },
    ],
    [new DriverError("output-length", "cut"), { name: "MessageOutputLengthError", data: {} }],
    [new Error("what?"), { name: "UnknownError", data: { message: "what?" } }],
    ["thrown text", { name: "UnknownError", data: { message: "thrown text" } }],
  ])("names %s", (error, expected) => {
    expect(toMessageError(error, "mock")).toEqual(expected)
  })
})

describe("isRetryable", () => {
  const reset = Object.assign(new Error("socket"), { code: "ECONNRESET" })

  it.each([
    ["one that the driver says is", new DriverError("api", "?", { isRetryable: true })],
    ["429", new DriverError("api", "?", { statusCode: 429 })],
    ["503", new DriverError("api", "?", { statusCode: 503 })],
    ["an overloaded provider", new DriverError("api", "?", { responseBody: '{"type":"overloaded_error"}' })],
    ["a rate limit", new DriverError("api", "Rate limit reached", { statusCode: 400 })],
    ["a connection that was reset", reset],
    ["what a reset connection caused", new Error("fetch failed", { cause: reset })],
    ["what a driver says of one", new DriverError("api", "gone", { cause: reset })],
    ["an overloaded provider that the driver does not know", new Error("Overloaded")],
  ])("%s is", (_, error) => {
    expect(isRetryable(toMessageError(error, "mock"))).toBe(true)
  })

  it.each([
    ["400", new DriverError("api", "bad request", { statusCode: 400 })],
    ["401", new DriverError("api", "bad key", { statusCode: 401 })],
    ["a missing key", new DriverError("authentication", "rate limit")],
    ["anything else", new Error("fetch failed", { cause: new Error("refused") })],
  ])("%s is not", (_, error) => {
    expect(isRetryable(toMessageError(error, "mock"))).toBe(false)
  })
})

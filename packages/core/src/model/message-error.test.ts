import { describe, expect, test } from "vitest"
import { errorDetails, MessageError, newMessageError } from "./message-error.js"

const details = {
  message: "overloaded",
  statusCode: 529,
  isRetryable: true,
  responseHeaders: { "retry-after": "5" },
  responseBody: "{}",
}

describe("reading", () => {
  test("nested and flat errors tell the same", () => {
    const nested = MessageError.parse({ name: "APIError", data: details })
    const flat = MessageError.parse({ name: "APIError", ...details })
    expect(errorDetails(nested)).toEqual({ name: "APIError", ...details })
    expect(errorDetails(flat)).toEqual(errorDetails(nested))
  })

  test.each([
    { name: "Unknown", message: "no answer" },
    { name: "UnknownError", message: "no answer" },
    { name: "Unknown", data: { message: "no answer" } },
    { name: "UnknownError", data: { message: "no answer" } },
  ])("an unknown error has one name: %j", (error) => {
    expect(errorDetails(MessageError.parse(error))).toEqual({ name: "UnknownError", message: "no answer" })
  })

  test.each([{ name: "MessageOutputLengthError" }, { name: "MessageOutputLengthError", data: {} }])(
    "an error without details is its name: %j",
    (error) => {
      expect(errorDetails(MessageError.parse(error))).toEqual({ name: "MessageOutputLengthError" })
    },
  )

  test("an error of a name and fields unknown to us passes whole", () => {
    const error = { name: "ContextOverflowError", data: { message: "too long", limit: 200_000 } }
    expect(MessageError.parse(error)).toEqual(error)
    expect(errorDetails(error)).toEqual({ name: "ContextOverflowError", message: "too long" })
  })

  test("an error without a name is refused", () => {
    expect(MessageError.safeParse({ message: "no answer" }).success).toBe(false)
  })
})

describe("creating", () => {
  test("the nested form is made, keys in order", () => {
    const error = newMessageError({ data: { isRetryable: false, message: "bad request" }, name: "APIError" })
    expect(JSON.stringify(error)).toBe(
      '{"name":"APIError","data":{"message":"bad request","isRetryable":false}}',
    )
  })

  test("the flat form and the old name are refused", () => {
    // @ts-expect-error flat
    expect(() => newMessageError({ name: "MessageAbortedError", message: "x" })).toThrow(
      "message: unknown field",
    )
    // @ts-expect-error old name
    expect(() => newMessageError({ name: "Unknown", data: { message: "x" } })).toThrow(/name: .*UnknownError/)
  })
})

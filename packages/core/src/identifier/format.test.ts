import { describe, expect, it } from "vitest"
import { isGeneratedIdentifier, isIdentifier } from "./format.js"

describe("isIdentifier", () => {
  it.each(["msg_1", "msg_ff2a3b4c5d6eXyZ123456789abc", "msg_é🐚"])("%s is a message id", (id) => {
    expect(isIdentifier("message", id)).toBe(true)
  })

  it.each(["", "msg", "msg_", "ses_1", "message_1", "msg_\0", "msg_\udc00a"])("%j is no message id", (id) => {
    expect(isIdentifier("message", id)).toBe(false)
  })
})

describe("isGeneratedIdentifier", () => {
  it.each(["tool_000008c17001Zhp5Lo28tPqKYu"])("%s has the generated form", (id) => {
    expect(isGeneratedIdentifier("tool", id)).toBe(true)
  })

  it.each([
    ["of another entity", "msg_000008c17001Zhp5Lo28tPqKYu"],
    ["too short", "tool_000008c17001Zhp5Lo28tPqKY"],
    ["too long", "tool_000008c17001Zhp5Lo28tPqKYuu"],
    ["with upper-case digits", "tool_000008C17001Zhp5Lo28tPqKYu"],
    ["with a character outside base62", "tool_000008c17001Zhp5Lo28tPqK-u"],
    ["with a line break behind it", "tool_000008c17001Zhp5Lo28tPqKYu\n"],
  ])("an id %s has not", (_, id) => {
    expect(isGeneratedIdentifier("tool", id)).toBe(false)
  })
})

import { describe, expect, it } from "vitest"
import { checkText } from "./check-text.js"
import { Configuration } from "./configuration.js"
import { ConfigurationError } from "./configuration-error.js"
import { parseJsonc } from "./parse-jsonc.js"

describe("parseJsonc", () => {
  it("takes comments, trailing commas and a byte order mark", () => {
    const text = '\uFEFF{\n  // for everyday work\n  "model": "a/b", /* and */ "plugin": ["x",],\n}\n'
    expect(parseJsonc("opencode.jsonc", text).value).toEqual({ model: "a/b", plugin: ["x"] })
  })

  it.each([
    ['{\n  "model" "a/b"\n}', 2, 11, "colon expected"],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "comma expected"],
    ["", 1, 1, "value expected"],
    ['{\r\n  "a": 1,\r\n  "b": tru\r\n}', 3, 8, "invalid symbol"],
    ['{ "a": 1 } 2', 1, 12, "end of file expected"],
  ])("says what is wrong with %j, and where", (text, line, column, reason) => {
    expect(problemsOf(() => parseJsonc("opencode.json", text))[0]).toEqual({ line, column, reason })
  })
})

describe("checkText", () => {
  it.each([
    ['{\n  "model": 5\n}', 2, 12, "model: Invalid input: expected string, received number"],
    [
      '{\n  "share": "sometimes" }',
      2,
      12,
      /^share: Invalid option: expected one of "manual"\|"auto"\|"disabled"$/,
    ],
    [
      '{ "permission": {\n "bash": { "*": "ask",\n "ls": "alow" } } }',
      3,
      8,
      /^permission\.bash\.ls: .*"allow"/,
    ],
    ['{ "permission": {\n "edit": "alow" } }', 2, 10, /^permission\.edit: /],
    ['{ "permission": "never" }', 1, 17, /^permission: /],
    ['{ "agent": { "x":\n { "steps": 0 } } }', 2, 13, /^agent\.x\.steps: /],
    ['{ "plugin": [\n"a",\n 1] }', 3, 2, /^plugin\.1: /],
    ['{ "small_model":\n"haiku" }', 2, 1, /^small_model: expected a provider and a model/],
    ["\n []", 2, 2, /expected object/],
  ])("says what does not fit in %j, and where", (text, line, column, reason) => {
    const [problem] = problemsOf(() => checkText(Configuration, parseJsonc("opencode.json", text)))
    const matching = typeof reason === "string" ? reason : expect.stringMatching(reason)
    expect(problem).toEqual({ line, column, reason: matching })
  })

  it("names the source and every problem, but no value", () => {
    const text = '{\n  "model": "hunter2",\n  "share": "hunter3"\n}'
    const failing = () => checkText(Configuration, parseJsonc("/etc/opencode.json", text))
    expect(failing).toThrow(/^\/etc\/opencode\.json:2:12: model: .*\n\/etc\/opencode\.json:3:12: share: .*$/)
    expect(failing).not.toThrow(/hunter/)
  })

  it("points to what is around a field that is missing", () => {
    const checked = { ...parseJsonc("x", '{\n  "a": {}\n}'), value: { agent: { a: 1 } } }
    expect(problemsOf(() => checkText(Configuration, checked))[0]).toMatchObject({ line: 1, column: 1 })
  })

  it("keeps settings that the engine has nothing to do with", () => {
    const text = '{ "theme": "dark", "compaction": { "reserved": 5 } }'
    const value = checkText(Configuration, parseJsonc("x", text))
    expect(value).toMatchObject({ theme: "dark", compaction: { reserved: 5 } })
  })
})

function problemsOf(action: () => unknown) {
  try {
    action()
  } catch (error) {
    if (ConfigurationError.is(error)) return error.problems
    throw error
  }
  throw new Error("expected a ConfigurationError")
}

import { describe, expect, it } from "vitest"
import { checkOptions, type OptionShape } from "./options.js"

const shape = {
  path: "string",
  readonly: "boolean?",
  clock: "function?",
  limit: "count?",
  prefix: "key?",
  indexes: "array?",
  engine: "object?",
  seed: "any?",
  durability: ["safe", "fast"],
} as const satisfies OptionShape

describe("checkOptions", () => {
  it("accepts options that fit", () => {
    const options = {
      path: "/data",
      readonly: false,
      clock: Date.now,
      limit: 0,
      prefix: [],
      indexes: [1],
      engine: {},
      seed: Symbol("a"),
      durability: "fast",
    }
    expect(() => checkOptions("Store", options, shape)).not.toThrow()
  })

  it("accepts optional options that are absent or undefined", () => {
    expect(() => checkOptions("Store", { path: "/data" }, shape)).not.toThrow()
    expect(() =>
      checkOptions("Store", { path: "/data", readonly: undefined, durability: undefined }, shape),
    ).not.toThrow()
  })

  it.each([
    ["readOnly", "readonly"],
    ["READONLY", "readonly"],
    ["redonly", "readonly"],
    ["limits", "limit"],
    ["index", "indexes"],
    ["pth", "path"],
    ["durabilty", "durability"],
  ])("names the likely spelling of %s", (misspelt, meant) => {
    expect(refusal({ path: "/data", [misspelt]: 1 })).toBe(
      `Store: unknown option "${misspelt}"; did you mean "${meant}"?`,
    )
  })

  it("prefers the nearest of several likely spellings", () => {
    expect(() => checkOptions("range", { gtee: 1 }, { gt: "key?", gte: "key?" })).toThrow(
      'did you mean "gte"?',
    )
  })

  it.each(["compression", "toString", "__proto"])("lists what is known when %s resembles nothing", (name) => {
    expect(refusal({ path: "/data", [name]: 1 })).toBe(
      `Store: unknown option "${name}"; known are ${Object.keys(shape).join(", ")}`,
    )
  })

  it("refuses an unknown option even when it is undefined", () => {
    expect(refusal({ path: "/data", pahts: undefined })).toContain('"path"')
  })

  it("refuses a required option that is missing", () => {
    expect(refusal({})).toBe('Store: option "path" must be a string')
  })

  it.each<[string, unknown, string]>([
    ["path", "", "a string"],
    ["path", 1, "a string"],
    ["readonly", "yes", "a boolean"],
    ["readonly", null, "a boolean"],
    ["clock", {}, "a function"],
    ["limit", -1, "a count"],
    ["limit", 1.5, "a count"],
    ["limit", "1", "a count"],
    ["limit", Number.NaN, "a count"],
    ["limit", Number.POSITIVE_INFINITY, "a count"],
    ["prefix", "a", "a key"],
    ["indexes", {}, "an array"],
    ["engine", null, "an object"],
    ["engine", "a", "an object"],
    ["durability", "slow", '"safe" or "fast"'],
  ])("refuses %s: %j", (name, value, expected) => {
    expect(refusal({ path: "/data", [name]: value })).toBe(`Store: option "${name}" must be ${expected}`)
  })

  it.each([undefined, null, "path", 1, [], () => ({})])("refuses %j in place of options", (options) => {
    expect(refusal(options)).toBe("Store: options must be an object")
  })

  it("does not quote what was given, which may be secret", () => {
    expect(refusal({ path: "/data", readonly: "sk-c0ffee" })).not.toContain("sk-c0ffee")
  })
})

function refusal(options: unknown): string | undefined {
  try {
    checkOptions("Store", options, shape)
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ name: "StorageError", code: "INVALID_ARGUMENT" })
    return (error as Error).message
  }
}

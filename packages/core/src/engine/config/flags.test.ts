import { expect, it } from "vitest"
import { readFlags } from "./flags.js"

it("has everything off when no variable is set", () => {
  expect(Object.values(readFlags({})).every((flag) => flag === false || flag === undefined)).toBe(true)
})

it.each([
  ["1", true],
  ["true", true],
  ["TRUE", true],
  ["0", false],
  ["false", false],
  ["", false],
])("takes %j for a switch that is %j", (value, expected) => {
  const names = ["DISABLE_AUTOCOMPACT", "DISABLE_PRUNE", "AUTO_SHARE", "EXPERIMENTAL_WATCHER"]
  const variables = Object.fromEntries(names.map((name) => [`OPENCODE_${name}`, value]))
  expect(readFlags(variables)).toMatchObject({
    disableAutoCompaction: expected,
    disablePrune: expected,
    autoShare: expected,
    experimentalWatcher: expected,
  })
})

it("takes texts as they are, and empty ones for unset", () => {
  const variables = {
    OPENCODE_FAKE_VCS: "git",
    OPENCODE_PERMISSION: '"deny"',
    OPENCODE_CONFIG: "x.json",
    OPENCODE_CONFIG_CONTENT: "",
  }
  expect(readFlags(variables)).toMatchObject({
    fakeVcs: "git",
    permission: '"deny"',
    configurationFile: "x.json",
    configurationContent: undefined,
  })
})

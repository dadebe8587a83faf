import { expect, test } from "vitest"
import { holds } from "../limits.js"
import { overheadOf } from "./engine-run.js"
import { engineLimits } from "./limits.js"

const few = { words: 1, bare: [10], engine: [30] }

test("what a word costs is told apart from what a step costs", () => {
  const many = { words: 1_001, bare: [100], engine: [220] }
  expect(overheadOf(few, many)).toEqual({ perStep: 2, perEvent: 0.01 })
})

test("steps of many words may take twice as long as the AI SDK bare, and no longer", () => {
  const [kept] = engineLimits([few, { words: 1_000, bare: [100], engine: [200] }])
  const [broken] = engineLimits([few, { words: 1_000, bare: [100], engine: [201] }])
  expect([kept, broken].map((limit) => limit && holds(limit))).toEqual([true, false])
})

test("without a run there is no limit", () => {
  expect(engineLimits([])).toEqual([])
})

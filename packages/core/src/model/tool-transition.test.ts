import { expect, test } from "vitest"
import { ToolStatus } from "./tool-state.js"
import { assertTransition, canTransition, ToolTransitionError } from "./tool-transition.js"

const legal = [
  "pending pending",
  "pending running",
  "pending error",
  "running running",
  "running completed",
  "running error",
  "completed completed",
]

const steps = ToolStatus.options.flatMap((from) => ToolStatus.options.map((to) => ({ from, to })))

test("a tool call moves forward, and neither an error nor a completed call is left", () => {
  const allowed = steps.filter(({ from, to }) => canTransition(from, to))
  expect(allowed.map(({ from, to }) => `${from} ${to}`)).toEqual(legal)
})

test("asserting a legal step returns", () => {
  expect(() => assertTransition("pending", "running")).not.toThrow()
})

test("asserting an illegal step throws an error that names both states", () => {
  const step = () => assertTransition("completed", "running")
  expect(step).toThrow(ToolTransitionError)
  expect(step).toThrow(/completed.*running/)
  expect(step).toThrow(
    expect.objectContaining({ code: "INVALID_TRANSITION", from: "completed", to: "running" }),
  )
})

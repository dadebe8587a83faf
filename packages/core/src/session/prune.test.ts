import { describe, expect, it } from "vitest"
import type { Part } from "../model/part.js"
import { partsToPrune } from "./prune.js"
import { assistant, part, text, tool, user, withParts } from "./testing/records.js"

const turn = (...parts: Part[]) => [withParts(user(), text("go")), withParts(assistant(), ...parts)]
const recent = [...turn(tool(tokens(100_000))), ...turn(tool(tokens(100_000)))]

describe("partsToPrune", () => {
  it("takes outputs beyond the newest 40,000 tokens, newest first", () => {
    const [a, b, c, d] = [31_000, 32_000, 30_000, 10_000].map((count) => tool(tokens(count))) as Four
    expect(partsToPrune([...turn(a, b), ...turn(c), ...turn(d), ...recent])).toEqual([b, a])
  })

  it("spares the newest two turns of the user, however many answers they have", () => {
    const more = [withParts(assistant(), tool(tokens(100_000)))]
    expect(partsToPrune([...recent, ...more])).toEqual([])
    expect(partsToPrune([...recent, ...more, ...turn()])).toHaveLength(1)
  })

  it("takes nothing unless that wins more than 20,000 tokens", () => {
    const kept = tool(tokens(40_000))
    expect(partsToPrune([...turn(tool(tokens(20_000)), kept), ...recent])).toEqual([])
    expect(partsToPrune([...turn(tool(tokens(20_001)), kept), ...recent])).toHaveLength(1)
  })

  it("goes no further back than a summary", () => {
    const summary = withParts(assistant({ summary: true }), text("So far:"))
    expect(
      partsToPrune([...turn(tool(tokens(100_000))), summary, ...turn(tool("short")), ...recent]),
    ).toEqual([])
  })

  it("goes no further back than an output that was pruned before", () => {
    const older = [tool(tokens(100_000)), tool("gone", 5)]
    expect(partsToPrune([...turn(...older), ...turn(tool("short")), ...recent])).toEqual([])
  })

  it("neither takes nor counts skills, failures, and calls without times", () => {
    const skill = { ...tool(tokens(100_000)), tool: "skill" } as Part
    const failure = part({
      type: "tool",
      callID: "call_1",
      tool: "bash",
      state: { status: "error", input: {}, error: tokens(100_000), time: { start: 1, end: 2 } },
    })
    const timeless = part({
      type: "tool",
      callID: "call_1",
      tool: "bash",
      state: { status: "completed", input: {}, output: tokens(100_000) },
    })
    const old = tool(tokens(60_000))
    const kept = tool(tokens(40_000))
    expect(partsToPrune([...turn(old, kept, skill, failure, timeless), ...recent])).toEqual([old])
  })
})

type Four = [Part, Part, Part, Part]

function tokens(count: number): string {
  return "word".repeat(count)
}

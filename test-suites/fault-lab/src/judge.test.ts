import { describe, expect, it } from "vitest"
import { judge } from "./judge.js"
import type { Mutation } from "./mutation.js"
import type { Reading } from "./reading.js"
import type { Subject } from "./subject.js"

const subject: Subject = {
  name: "subject",
  module: "",
  prepare: () => Promise.reject(),
  open: () => Promise.reject(),
  isLog: (name) => name === "log",
}
const unchecked: Subject = { ...subject, undetectable: "no checksums" }
const flip: Mutation = { kind: "flip", file: "table", offset: 0, extent: 0, size: 10 }
const before = reading({ a: [1, 0], b: [2, 0], c: [3, 1] })

describe("judge", () => {
  it.each<[string, Reading, string]>([
    ["equal records", before, "right"],
    ["equal records with a finding", { ...before, findings: ["index"] }, "named"],
    ["a typed error", { ...before, error: { code: "CORRUPT", message: "" } }, "typed"],
    ["any other error", { ...before, error: { code: undefined, message: "" } }, "raw"],
    ["a missing record", reading({ a: [1, 0], c: [3, 1] }), "missing"],
    ["a missing record that is invalid", { ...reading({ a: [1, 0], c: [3, 1] }), invalid: ["b"] }, "named"],
    ["two missing records, one invalid", { ...reading({ a: [1, 0] }), invalid: ["b"] }, "missing"],
    ["an altered record", reading({ a: [9, 0], b: [2, 0], c: [3, 1] }), "wrong"],
    [
      "an altered record with a finding",
      { ...reading({ a: [9, 0], b: [2, 0], c: [3, 1] }), findings: ["index"] },
      "wrong",
    ],
    ["a record that never was", reading({ a: [1, 0], b: [2, 0], c: [3, 1], d: [4, 1] }), "wrong"],
  ])("%s", (_, after, outcome) => {
    expect(judge(subject, flip, before, after).outcome).toBe(outcome)
  })

  it("accepts altered records of a format without checksums, but no missing ones", () => {
    const altered = reading({ a: [9, 0], b: [2, 0], c: [3, 1] })
    expect(judge(unchecked, flip, before, altered).outcome).toBe("undetectable")
    expect(judge(unchecked, flip, before, reading({ a: [9, 0], b: [2, 0] })).outcome).toBe("missing")
  })

  it("accepts the loss of the last commit in a log, and of more only where its end is gone", () => {
    const inLog: Mutation = { ...flip, file: "log" }
    const lastGone = reading({ a: [1, 0], b: [2, 0] })
    const moreGone = reading({ a: [1, 0] })
    expect(judge(subject, inLog, before, lastGone).outcome).toBe("torn")
    expect(judge(subject, inLog, before, moreGone).outcome).toBe("missing")
    expect(judge(subject, { ...inLog, kind: "truncate" }, before, moreGone).outcome).toBe("torn")
    expect(judge(subject, flip, before, lastGone).outcome).toBe("missing")
  })
})

function reading(records: Record<string, [hash: number, commit: number]>): Reading {
  const entries = Object.entries(records)
  return {
    records: Object.fromEntries(
      entries.map(([key, [hash, commit]]) => [key, { sha256: String(hash), commit }]),
    ),
    invalid: [],
    findings: [],
  }
}

import { expect, test } from "vitest"
import { formatReport } from "./format-report.js"
import type { ConformanceReport } from "./report.js"

const report: ConformanceReport = {
  schemaVersion: 1,
  harness: "some-storage",
  capabilities: {
    durable: true,
    atomicBatch: false,
    multiProcess: false,
    snapshots: false,
    checksums: false,
  },
  seed: 42,
  groups: [
    {
      name: "Batch",
      required: true,
      contracts: [
        { id: "batch/empty", title: "an empty batch does nothing", status: "passed", milliseconds: 1 },
        {
          id: "batch/whole",
          title: "a batch is whole",
          status: "skipped",
          reason: "the store declares nothing",
        },
        {
          id: "batch/order",
          title: "operations happen in order",
          status: "failed",
          milliseconds: 1,
          message: "The last write was lost\nkey:      [ 'a' ]\nexpected: 2\nactual:   1",
        },
      ],
    },
  ],
  passed: 1,
  failed: 1,
  skipped: 1,
  objections: [],
  conforms: false,
}

test("a report shows capabilities, groups, skips with reasons, failures with findings, and the verdict", () => {
  expect(formatReport(report)).toBe(
    [
      "Conformance of some-storage",
      "",
      "  yes  durable       survives closing, reopening and kill -9",
      "  no   atomicBatch   a batch happens as a whole or not at all",
      "  no   multiProcess  several processes at once",
      "  no   snapshots     a scan shows one moment",
      "  no   checksums     an altered record is noticed when it is read",
      "",
      "Batch  1/3",
      "  ✓ an empty batch does nothing",
      "  ○ a batch is whole – skipped: the store declares nothing",
      "  ✗ operations happen in order batch/order",
      "",
      "What failed",
      "",
      "  ✗ batch/order: operations happen in order",
      "    The last write was lost",
      "    key:      [ 'a' ]",
      "    expected: 2",
      "    actual:   1",
      "    again: --only batch/order --seed 42",
      "",
      "Does not conform: 1 passed, 1 failed, 1 skipped  seed 42",
      "",
    ].join("\n"),
  )
})

test("a narrow terminal gets lines that are broken between words", () => {
  const lines = formatReport(report, { width: 40 }).split("\n")
  expect(lines).toContain("  ○ a batch is whole – skipped: the")
  expect(lines).toContain("    store declares nothing")
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40)
})

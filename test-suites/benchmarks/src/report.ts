import type { ImportTime } from "./import-time.js"
import type { Measurement } from "./measure.js"

export interface Report {
  readonly machine: { readonly node: string; readonly platform: string; readonly cpu: string }
  readonly comparisons: readonly Measurement[]
  readonly imports: readonly ImportTime[]
}

/** Prints the report as tables, and tells whether every limit holds. */
export function printReport({ machine, comparisons, imports }: Report): boolean {
  const lines = [
    `${machine.node} on ${machine.platform}, ${machine.cpu}`,
    "",
    ...table(
      ["JSON adapter", "against", "ours", "bare", "ratio", "limit"],
      comparisons.map((row) => [
        row.name,
        row.baseline,
        `${row.subject.toFixed(0)} ms`,
        `${row.reference.toFixed(0)} ms`,
        `${row.ratio.toFixed(2)} ${row.ratio <= row.limit ? "✓" : "✗"}`,
        row.limit.toFixed(1),
      ]),
    ),
    "",
    ...table(
      ["import", "takes", "limit"],
      imports.map((row) => [
        row.name,
        `${row.milliseconds.toFixed(0)} ms ${row.milliseconds <= row.limit ? "✓" : "✗"}`,
        `${row.limit.toFixed(0)} ms`,
      ]),
    ),
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
  return (
    comparisons.every((row) => row.ratio <= row.limit) &&
    imports.every((row) => row.milliseconds <= row.limit)
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)]
}

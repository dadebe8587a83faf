import { holds, type Limit } from "./limits.js"
import { type Row, ratio, typical } from "./measure.js"
import { families, storeKinds } from "./stores/families.js"
import type { Machine } from "./versions.js"

/** What a run came to. */
export interface Report {
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
  readonly limits: readonly Limit[]
}

/** The report as tables for a terminal. */
export function asText({ machine, versions, rows, limits }: Report): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const lines = [
    `${machine.platform}, ${machine.cores} × ${machine.cpu}`,
    named.join(", "),
    "",
    ...(rows.length === 0 ? [] : [...ratioTable(rows), ""]),
    ...limitTable(limits),
  ]
  return `${lines.join("\n")}\n`
}

/** The report as data: medians in milliseconds, and multiples of the engine by hand. */
export function asJson({ machine, versions, rows, limits }: Report): string {
  const data = {
    machine,
    versions,
    rows: rows.map((row) => ({
      name: row.name,
      stores: Object.fromEntries(
        storeKinds
          .map(({ name }) => [name, cellOf(row, name)] as const)
          .filter(([, cell]) => cell !== undefined),
      ),
    })),
    limits: limits.map((limit) => ({ ...limit, holds: holds(limit) })),
  }
  return `${JSON.stringify(data, null, 2)}\n`
}

interface CellFigures {
  readonly milliseconds: number
  readonly rounds: number
  readonly overEngine: number | undefined
}

function cellOf(row: Row, store: string): CellFigures | undefined {
  const times = row.times[store]
  if (times === undefined) return undefined
  const engine = families.find((family) => [family.ours.name, family.peer?.name].includes(store))?.engine
  const engineTimes = engine && row.times[engine.name]
  return {
    milliseconds: typical(times),
    rounds: times.length,
    overEngine: engineTimes && ratio(times, engineTimes),
  }
}

function ratioTable(rows: readonly Row[]): string[] {
  return table(
    ["", ...storeKinds.map(({ name }) => name)],
    rows.map((row) => [row.name, ...storeKinds.map(({ name }) => cellText(cellOf(row, name)))]),
  )
}

function cellText(cell: CellFigures | undefined): string {
  if (cell === undefined) return "–"
  return cell.overEngine === undefined ? duration(cell.milliseconds) : multiple(cell.overEngine)
}

function limitTable(limits: readonly Limit[]): string[] {
  return table(
    ["must hold", "is", "limit", ""],
    limits.map((limit) => {
      const write = limit.unit === "ms" ? duration : multiple
      const bound = limit.most === undefined ? `≥ ${write(limit.least ?? 0)}` : `≤ ${write(limit.most)}`
      return [limit.what, write(limit.figure), bound, holds(limit) ? "✓" : "✗"]
    }),
  )
}

function duration(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`
}

function multiple(figure: number): string {
  return `${figure < 0.1 ? figure.toPrecision(1) : figure.toFixed(figure < 10 ? 2 : 0)} ×`
}

/** Text to the left, figures to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd()
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)]
}

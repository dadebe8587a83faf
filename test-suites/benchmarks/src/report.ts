import type { Conversion } from "./conversions/conversion.js"
import { conversionData, conversionTable } from "./conversions/report.js"
import type { EngineRun } from "./engine/engine-run.js"
import { engineData, engineTable } from "./engine/report.js"
import { duration, megabytes, multiple, table } from "./format.js"
import { holds, type Limit, type PeerComparison } from "./limits.js"
import { type Row, ratio, typical } from "./measure.js"
import { families, storeKinds } from "./stores/families.js"
import type { Machine } from "./versions.js"

/** What a run came to. */
export interface Report {
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
  readonly engineRuns: readonly EngineRun[]
  readonly conversions: readonly Conversion[]
  readonly limits: readonly Limit[]
  readonly enginesBehind: readonly PeerComparison[]
}

/** The report as tables for a terminal. */
export function asText(report: Report): string {
  const { machine, versions, rows, engineRuns, conversions, limits, enginesBehind } = report
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const lines = [
    `${machine.platform}, ${machine.cores} × ${machine.cpu}`,
    named.join(", "),
    "",
    ...(rows.length === 0 ? [] : [...ratioTable(rows), ""]),
    ...(engineRuns.length === 0 ? [] : [...engineTable(engineRuns), ""]),
    ...(conversions.length === 0 ? [] : [...conversionTable(conversions), ""]),
    ...limitTable(limits),
    ...(enginesBehind.length === 0 ? [] : ["", ...enginesBehindTable(enginesBehind)]),
  ]
  return `${lines.join("\n")}\n`
}

/** The report as data: medians in milliseconds, and multiples of the engine by hand. */
export function asJson(report: Report): string {
  const { machine, versions, rows, engineRuns, conversions, limits, enginesBehind } = report
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
    engine: engineData(engineRuns),
    conversions: conversionData(conversions),
    limits: limits.map((limit) => ({ ...limit, holds: holds(limit) })),
    enginesBehind,
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

const writers = { ms: duration, "×": multiple, MB: megabytes }

function limitTable(limits: readonly Limit[]): string[] {
  return table(
    ["must hold", "is", "limit", ""],
    limits.map((limit) => {
      const write = writers[limit.unit]
      const bound = limit.most === undefined ? `≥ ${write(limit.least ?? 0)}` : `≤ ${write(limit.most)}`
      return [limit.what, write(limit.figure), bound, holds(limit) ? "✓" : "✗"]
    }),
  )
}

function enginesBehindTable(comparisons: readonly PeerComparison[]): string[] {
  return table(
    ["no limit: engine itself behind", "is", "engine over peer"],
    comparisons.map(({ what, figure, engine, engineFigure }) => [
      what,
      multiple(figure),
      `${engine} ${multiple(engineFigure)}`,
    ]),
  )
}

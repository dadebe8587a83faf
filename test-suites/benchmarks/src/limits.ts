import type { ImportTime } from "./import-time.js"
import { type Row, ratio } from "./measure.js"
import { families } from "./stores/families.js"
import { nodeFs } from "./stores/node-fs.js"
import { jsonStorage, levelStorage, sqliteStorage } from "./stores/sessile.js"
import type { StoreKind } from "./stores/store.js"
import type { StreamedText } from "./streamed-text.js"
import { rowNames, sessionCounts } from "./workloads/row-names.js"

/** Something that must hold: a figure and the most, or the least, that it may be. */
export interface Limit {
  readonly what: string
  readonly figure: number
  readonly unit: "×" | "ms" | "MB"
  readonly most?: number
  readonly least?: number
}

/** One of ours against a peer, beside the engine that it stands on against the same peer. */
export interface PeerComparison {
  readonly what: string
  readonly figure: number
  readonly engine: string
  readonly engineFigure: number
}

export function holds({ figure, most = Number.POSITIVE_INFINITY, least = 0 }: Limit): boolean {
  return figure <= most && figure >= least
}

/** The limits that the measured rows, imports and texts speak of. */
export function limitsOf(
  rows: readonly Row[],
  imports: readonly ImportTime[],
  texts: readonly StreamedText[],
): Limit[] {
  return [
    ...rows.flatMap(againstEngine),
    ...againstListAndRead(rows),
    ...againstScan(rows),
    ...againstSize(rows),
    ...rows.flatMap(againstPeers),
    ...imports.map(
      ({ name, milliseconds, limit }): Limit => ({
        what: `import of ${name}`,
        figure: milliseconds,
        unit: "ms",
        most: limit,
      }),
    ),
    ...texts.map(
      ({ deltas, written, size }): Limit => ({
        what: `a text of ${deltas.toLocaleString("en")} deltas: bytes written over its size`,
        figure: written / size,
        unit: "×",
        most: 3,
      }),
    ),
  ]
}

/** The comparisons that are no limits: where the engine by hand is behind the peer, nobody on it must be ahead. */
export function enginesBehind(rows: readonly Row[]): PeerComparison[] {
  return rows.flatMap(comparisonsWithPeers).filter(isEngineBehind)
}

const mostTimesTheEngine: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  [jsonStorage.name]: { [rowNames.write]: 3, [rowNames.read]: 1.3, [rowNames.scan]: 1.3 },
  [sqliteStorage.name]: {
    [rowNames.write]: 1.5,
    [rowNames.read]: 1.5,
    [rowNames.scan]: 1.5,
    [rowNames.fork]: 10,
  },
  [levelStorage.name]: { [rowNames.write]: 1.5, [rowNames.read]: 1.5, [rowNames.scan]: 1.5 },
}

function againstEngine(row: Row): Limit[] {
  return families.flatMap(({ ours, engine }) => {
    const most = mostTimesTheEngine[ours.name]?.[row.name]
    const figure = between([row, ours], [row, engine])
    if (most === undefined || figure === undefined) return []
    return [{ what: `${row.name}: ${ours.name} over ${engine.name}`, figure, unit: "×", most }]
  })
}

function againstListAndRead(rows: readonly Row[]): Limit[] {
  const row = rows.find(({ name }) => name === rowNames.load)
  const figure = between([row, nodeFs], [row, sqliteStorage])
  if (figure === undefined) return []
  const what = `${rowNames.load}: list and read by ${nodeFs.name} over ${sqliteStorage.name}`
  return [{ what, figure, unit: "×", least: 10 }]
}

function againstScan(rows: readonly Row[]): Limit[] {
  const byScan = rows.find(({ name }) => name === rowNames.messagesByScan)
  const bySessions = rows.find(({ name }) => name === rowNames.messagesBySessions)
  return families.flatMap(({ ours }): Limit[] => {
    const figure = between([bySessions, ours], [byScan, ours])
    if (figure === undefined) return []
    return [{ what: `${rowNames.messagesBySessions} over scan: ${ours.name}`, figure, unit: "×", most: 1.5 }]
  })
}

function againstSize(rows: readonly Row[]): Limit[] {
  const [fewest, , most] = sessionCounts
  const { newest, children, newestBySessions, childrenBySessions } = rowNames
  return [newest, children, newestBySessions, childrenBySessions].flatMap((nameOf) =>
    [sqliteStorage, levelStorage].flatMap((kind): Limit[] => {
      const many = rows.find(({ name }) => name === nameOf(most))
      const few = rows.find(({ name }) => name === nameOf(fewest))
      const figure = between([many, kind], [few, kind])
      if (figure === undefined) return []
      const what = `${nameOf(most)} over ${fewest.toLocaleString("en")}: ${kind.name}`
      return [{ what, figure, unit: "×", most: 2 }]
    }),
  )
}

function againstPeers(row: Row): Limit[] {
  return comparisonsWithPeers(row)
    .filter((comparison) => !isEngineBehind(comparison))
    .map(({ what, figure }) => ({ what, figure, unit: "×", most: 1 }))
}

function isEngineBehind({ engineFigure }: PeerComparison): boolean {
  return engineFigure > 1
}

function comparisonsWithPeers(row: Row): PeerComparison[] {
  const peers = families.flatMap(({ peer }) => peer ?? [])
  return families.flatMap(({ ours, engine }) =>
    peers.flatMap((peer) => {
      const figure = between([row, ours], [row, peer])
      const engineFigure = between([row, engine], [row, peer])
      if (figure === undefined || engineFigure === undefined) return []
      const what = `${row.name}: ${ours.name} over ${peer.name}`
      return [{ what, figure, engine: engine.name, engineFigure }]
    }),
  )
}

type Cell = readonly [row: Row | undefined, kind: StoreKind]

function between([subjectRow, subject]: Cell, [referenceRow, reference]: Cell): number | undefined {
  const times = subjectRow?.times[subject.name]
  const referenceTimes = referenceRow?.times[reference.name]
  return times && referenceTimes && ratio(times, referenceTimes)
}

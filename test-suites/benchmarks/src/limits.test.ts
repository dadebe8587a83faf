import { expect, test } from "vitest"
import { enginesBehind, holds, limitsOf } from "./limits.js"
import type { Row } from "./measure.js"
import { rowNames } from "./workloads/row-names.js"

const row: Row = {
  name: "some work",
  times: {
    "node:fs": [50],
    JsonStorage: [80],
    unstorage: [60],
    "better-sqlite3": [10],
    SqliteStorage: [12],
    "@keyv/sqlite": [20],
    "classic-level": [30],
    LevelStorage: [15],
  },
}

test("each of ours must be ahead of every peer that its engine is ahead of", () => {
  const limits = limitsOf([row], [], [])
  expect(limits.map((limit) => [limit.what, limit.figure, limit.most, holds(limit)])).toEqual([
    ["some work: JsonStorage over unstorage", 80 / 60, 1, false],
    ["some work: SqliteStorage over unstorage", 12 / 60, 1, true],
    ["some work: SqliteStorage over @keyv/sqlite", 12 / 20, 1, true],
    ["some work: LevelStorage over unstorage", 15 / 60, 1, true],
  ])
})

test("what is no limit because the engine is behind is named, whether or not ours is ahead", () => {
  expect(enginesBehind([row])).toEqual([
    {
      what: "some work: JsonStorage over @keyv/sqlite",
      figure: 80 / 20,
      engine: "node:fs",
      engineFigure: 50 / 20,
    },
    {
      what: "some work: LevelStorage over @keyv/sqlite",
      figure: 15 / 20,
      engine: "classic-level",
      engineFigure: 30 / 20,
    },
  ])
})

test("a store that takes no part in a row is not compared in it", () => {
  const { unstorage: _, "classic-level": __, ...times } = row.times
  const compared = [...limitsOf([{ ...row, times }], [], []), ...enginesBehind([{ ...row, times }])]
  expect(compared.map(({ what }) => what)).toEqual([
    "some work: SqliteStorage over @keyv/sqlite",
    "some work: JsonStorage over @keyv/sqlite",
  ])
})

test("what sessions take is held against the adapter, the engine, fewer sessions, and the size of a text", () => {
  const times = (name: string, milliseconds: number): Row => ({
    name,
    times: { SqliteStorage: [milliseconds] },
  })
  const fork = { name: rowNames.fork, times: { SqliteStorage: [110], "better-sqlite3": [10] } }
  const rows = [
    times(rowNames.messagesByScan, 10),
    times(rowNames.messagesBySessions, 16),
    times(rowNames.newestBySessions(1_000), 10),
    times(rowNames.newestBySessions(100_000), 21),
    fork,
  ]
  const limits = limitsOf(rows, [], [{ deltas: 10_000, written: 310, size: 100 }])
  expect(limits.map((limit) => [limit.what, limit.figure, limit.most, holds(limit)])).toEqual([
    ["fork 2,000 messages: SqliteStorage over better-sqlite3", 11, 10, false],
    ["2,000 messages by Sessions over scan: SqliteStorage", 1.6, 1.5, false],
    ["newest 50 of 100,000 by Sessions over 1,000: SqliteStorage", 2.1, 2, false],
    ["a text of 10,000 deltas: bytes written over its size", 3.1, 3, false],
  ])
})

import { expect, test } from "vitest"
import { enginesBehind, holds, limitsOf } from "./limits.js"
import type { Row } from "./measure.js"

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
  const limits = limitsOf([row], [])
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
  const compared = [...limitsOf([{ ...row, times }], []), ...enginesBehind([{ ...row, times }])]
  expect(compared.map(({ what }) => what)).toEqual([
    "some work: SqliteStorage over @keyv/sqlite",
    "some work: JsonStorage over @keyv/sqlite",
  ])
})

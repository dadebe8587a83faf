import { readdirSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyDatabase, databasePath, temporaryFolder, withSql } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { detectOpencodeDatabase } from "./detect-opencode-database.js"

test.each([
  ["migrated-by-1.2.27", { project: 1, session: 14, message: 64, part: 169 }],
  ["migrated-by-1.15.13", { project: 1, session: 14, message: 64, part: 169 }],
  ["native-1.18.34", { project: 1, session: 7, message: 21, part: 53 }],
  ["empty-1.18.34", { project: 1, session: 0, message: 0, part: 0 }],
] as const)("%s is recognised, with what it holds", async (name, counts) => {
  expect(await detectOpencodeDatabase(databasePath(name))).toEqual({ kind: "opencode-1", counts })
})

test("looking leaves no trace", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  await detectOpencodeDatabase(copy.database)
  expect(readdirSync(copy.path)).toEqual(["opencode.db"])
})

test("a database of 2.x is told apart, with or without records of 1.x", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  withSql(copy.database, (database) => database.exec("CREATE TABLE session_v2 (id)"))
  expect(await detectOpencodeDatabase(copy.database)).toMatchObject({
    kind: "opencode-2",
    counts: { session: 7 },
  })
  const path = join(copy.path, "new.db")
  withSql(path, (database) => database.exec("CREATE TABLE session_v2 (id)"))
  expect(await detectOpencodeDatabase(path)).toEqual({ kind: "opencode-2-only" })
})

test("anything else is something else, and nothing is nothing", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "file")
  expect(await detectOpencodeDatabase(path)).toEqual({ kind: "none" })
  await writeFile(path, "")
  expect(await detectOpencodeDatabase(path)).toEqual({ kind: "other" })
  expect(await detectOpencodeDatabase(join(path, "below"))).toEqual({ kind: "none" })
  expect(await detectOpencodeDatabase(folder.path)).toEqual({ kind: "other" })
  withSql(path, (database) => database.exec("CREATE TABLE notes (text)"))
  expect(await detectOpencodeDatabase(path)).toEqual({ kind: "other" })
})

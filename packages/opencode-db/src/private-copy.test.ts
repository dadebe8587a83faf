import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { copyDatabase } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { expect, test } from "vitest"
import { privateCopy } from "./private-copy.js"

test("a copy has the log too, and is gone when it is disposed of", async () => {
  await using original = await copyDatabase("empty-1.18.34")
  const writer = new SqliteDatabase(original.database)
  writer.exec("UPDATE project SET name = 'new'")
  const copy = await privateCopy(original.database)
  expect(copy).toBeDefined()
  if (copy === undefined) return
  expect(await readFile(`${copy.path}-wal`)).toEqual(await readFile(`${original.database}-wal`))
  const reader = new SqliteDatabase(copy.path, { readonly: true })
  expect(reader.prepare("SELECT name FROM project").pluck().get()).toBe("new")
  reader.close()
  writer.close()
  await copy[Symbol.asyncDispose]()
  expect(existsSync(dirname(copy.path))).toBe(false)
})

test("a missing file is ENOENT", async () => {
  await using original = await copyDatabase("empty-1.18.34")
  await expect(privateCopy(`${original.path}/missing`)).rejects.toMatchObject({ code: "ENOENT" })
})

import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

const hammer = fileURLToPath(new URL("testing/hammer.mjs", import.meta.url))

test("eight processes that write and update at once lose nothing and never hear that the database is busy", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  await using storage = await SqliteStorage.open({ path })
  await storage.write(["counter"], { count: 0 })
  const names = Array.from({ length: 8 }, (_, index) => String(index))
  await Promise.all(names.map((name) => promisify(execFile)(process.execPath, [hammer, path, name, "100"])))

  expect(await storage.read(["counter"])).toEqual({ count: 800 })
  expect(await storage.list(["written"])).toHaveLength(800)
  const updated: unknown[] = []
  for await (const { value } of storage.find<{ time: { updated: number } }>("sessions-by-updated")) {
    updated.push(value.time.updated)
  }
  expect(updated).toEqual(names.map(() => 99))
}, 120_000)

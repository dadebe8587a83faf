import { readdir } from "node:fs/promises"
import { copyDatabase, withSql } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { gatherPages } from "./testing/gather.js"
import { project, projectID, record, session } from "./testing/records.js"

describe("what was changed since a time", () => {
  test("is nothing of the rows when the database was not touched since", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    const changedSince = Date.now() + 60_000
    expect(await gatherPages(storage.scanTexts({ changedSince }))).toEqual([])
  })

  test("shows what opencode did after the database was opened, though it is read from a copy", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    withSql(copy.database, (database) => database.pragma("journal_mode = WAL"))
    await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    const since = { prefixes: [["session"]], changedSince: 0 }
    const before = await gatherPages(storage.scanTexts(since))
    withSql(copy.database, (database) => database.exec("UPDATE session SET title = 'Meanwhile'"))
    const after = await gatherPages(storage.scanTexts(since))
    expect(after).toHaveLength(before.length)
    for (const entry of after) expect(entry).toMatchObject({ text: expect.stringContaining("Meanwhile") })
    expect(await gatherPages(storage.scanTexts({ prefixes: [["session"]] }))).toEqual(before)
  })
})

test("a project settles to the same whenever it was used last, and to something else when it is another", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const used = record(["project", projectID], {
    ...JSON.parse(project.text),
    time: { created: 1, updated: 2 },
  })
  const usedLater = record(["project", projectID], {
    ...JSON.parse(project.text),
    time: { created: 1, updated: 3 },
  })
  const moved = record(["project", projectID], { ...JSON.parse(used.text), worktree: "/elsewhere" })
  expect(storage.settle(used)).toBe(storage.settle(usedLater))
  expect(storage.settle(used)).not.toBe(storage.settle(moved))
  expect(storage.settle(session)).toBeUndefined()
})

test("how far JSON files were migrated is told, without a file being made for it", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const marker = { key: "migration", text: "2" }
  expect(await storage.addTexts([marker])).toEqual([marker])
  expect(await storage.readTexts(["migration"])).toEqual([marker])
  expect(await storage.list(["migration"])).toEqual([])
  expect(await readdir(copy.path)).not.toContain("storage")
})

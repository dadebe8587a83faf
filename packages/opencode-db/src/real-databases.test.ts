import { cp, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { decodeKey, encodeKey, type TextEntry } from "@sessile/core/storage"
import { copyDatabase, databasePath, fixturePath, temporaryFolder, withSql } from "@sessile/fixtures"
import { JsonStorage } from "@sessile/storage-json"
import { describe, expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { gather, gatherPages } from "./testing/gather.js"
import { projectID } from "./testing/records.js"

const storageFolder = join(fixturePath("v1.1.65"), "storage")
const todoKey = ["todo", "ses_e1e7b3eeaffeHsyI3sfsmFre0s"]

describe.each(["migrated-by-1.2.27", "migrated-by-1.15.13"] as const)("a database %s", (name) => {
  test("gives the JSON files that it was made from, but for what that import lost", async () => {
    await using copy = await copyDatabase(name)
    await cp(join(storageFolder, "session_diff"), join(copy.path, "storage", "session_diff"), {
      recursive: true,
    })
    await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    await using json = await JsonStorage.open({ path: storageFolder, readonly: true })
    const expected = (await gatherPages(json.scanTexts())).filter(({ key }) => key !== "migration")
    const all = await gatherPages(storage.scanTexts())
    // When the rows were written was not told by any file.
    const found = all.filter(({ key }) => decodeKey(key)[0] !== "row_times")
    expect(all.length - found.length).toBe(12)
    expect(found.map(({ key }) => key)).toEqual(expected.map(({ key }) => key))

    const different = expected.filter((entry, index) => textOf(entry) !== textOf(found[index]))
    expect(different.map(({ key }) => decodeKey(key))).toEqual([["project", projectID], todoKey])
    // opencode notes the time when it opens a project.
    const project = await json.read<{ time: object }>(["project", projectID])
    expect(await storage.read(["project", projectID])).toEqual({
      ...project,
      time: { ...project.time, updated: expect.any(Number) },
    })
    const todos = await json.read<{ id: string }[]>(todoKey)
    expect(await storage.read(todoKey)).toEqual(todos.map(({ id, ...todo }) => todo))
  })

  test("holds nothing that is not understood", async () => {
    await using storage = await OpencodeStorage.open({ path: databasePath(name), readonly: true })
    expect(storage.schema).toEqual({
      era: "1.x",
      takenOverBy2: false,
      unknownTables: [],
      unknownColumns: [],
      obstacle: undefined,
      importedAt: expect.closeTo(Date.parse("2026-11-15T23:23:57Z"), -4),
    })
    expect(await storage.check()).toEqual([])
  })
})

test.each(["native-1.18.34", "empty-1.18.34"] as const)(
  "%s, made by a release without an importer, imported nothing",
  async (name) => {
    await using storage = await OpencodeStorage.open({ path: databasePath(name), readonly: true })
    expect(storage.schema.importedAt).toBeUndefined()
  },
)

test("a database that this program made imported nothing, also when opencode has brought it up to date", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "opencode.db")
  await (await OpencodeStorage.open({ path, create: true })).close()
  withSql(path, (database) => {
    database.exec("UPDATE __drizzle_migrations SET applied_at = '2026-03-01T10:00:00.000Z'")
    database.exec(
      "INSERT INTO __drizzle_migrations (hash, created_at, name, applied_at) VALUES ('', 1770993676000, '20260213144116_wakeful_the_professor', '2026-03-01T12:00:00.000Z')",
    )
  })
  await using storage = await OpencodeStorage.open({ path, readonly: true })
  expect(storage.schema.importedAt).toBeUndefined()
})

test("a database that 1.18.34 filled by itself gives every row as a record", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
  const counts = new Map<string, number>()
  for (const { key } of await gather(storage.scan([]))) {
    counts.set(key[0] as string, (counts.get(key[0] as string) ?? 0) + 1)
  }
  expect(Object.fromEntries(counts)).toEqual({
    message: 21,
    part: 53,
    project: 1,
    row_times: 7,
    session: 7,
    todo: 1,
  })
  const [session] = await gather(storage.find<object>("sessions-by-updated", { limit: 1 }))
  expect(session?.value).toMatchObject({
    version: "1.18.34",
    path: "",
    agent: "build",
    model: { id: "mock-large", providerID: "mock", variant: "default" },
  })
})

describe("what the releases with JSON files wrote", () => {
  test.each(["v1.0.61", "v1.1.65", "v1.1.65-id-wrap"] as const)(
    "%s comes back as `fit` says",
    async (name) => {
      await using copy = await copyDatabase("empty-1.18.34")
      await using storage = await OpencodeStorage.open({ path: copy.database })
      await using json = await JsonStorage.open({ path: join(fixturePath(name), "storage"), readonly: true })
      const records = (await gatherPages(json.scanTexts())).filter(
        (entry) => ![encodeKey(["project", projectID]), "migration"].includes(entry.key),
      ) as { key: string; text: string }[]
      const outcomes = await storage.addTexts(records)
      expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([])

      const lost = new Set<string>()
      const back = await storage.readTexts(records.map(({ key }) => key))
      for (const [index, record] of records.entries()) {
        const fitted = storage.fit(record) ?? { text: record.text, lost: [] }
        expect(fitted).toMatchObject({ text: textOf(back[index]) })
        if ("lost" in fitted) for (const path of fitted.lost) lost.add(`${decodeKey(record.key)[0]} ${path}`)
      }
      expect([...lost]).toEqual(name === "v1.1.65-id-wrap" ? [] : ["todo 0.id", "todo 1.id"])
    },
  )

  test("has its messages and parts unchanged, byte for byte", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await using json = await JsonStorage.open({ path: storageFolder, readonly: true })
    await storage.addTexts((await gatherPages(json.scanTexts())) as { key: string; text: string }[])
    const prefixes = [["message"], ["part"], ["session"], ["session_diff"]]
    const expected = await gatherPages(json.scanTexts({ prefixes }))
    expect(expected).toHaveLength(64 + 169 + 14 + 12)
    const found = await gatherPages(storage.scanTexts({ prefixes }))
    expect(found.map(({ key }) => key)).toEqual(expected.map(({ key }) => key))
    expect(found.map(textOf)).toEqual(expected.map(textOf))
    for (const name of await readdir(join(storageFolder, "session_diff"))) {
      const written = await readFile(join(copy.path, "storage", "session_diff", name))
      expect(written.equals(await readFile(join(storageFolder, "session_diff", name)))).toBe(true)
    }
  })

  test("has the totals of its sessions, as opencode itself computes them", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await using json = await JsonStorage.open({ path: storageFolder, readonly: true })
    await storage.addTexts((await gatherPages(json.scanTexts())) as { key: string; text: string }[])
    await using reference = await copyDatabase("migrated-by-1.15.13")
    const totals = `SELECT id, round(cost, 12), tokens_input, tokens_output, tokens_reasoning, tokens_cache_read,
      tokens_cache_write FROM session ORDER BY id`
    const expected = withSql(reference.database, (database) => database.prepare(totals).raw().all())
    expect(withSql(copy.database, (database) => database.prepare(totals).raw().all())).toEqual(expected)
  })
})

function textOf(entry: TextEntry | undefined): string | undefined {
  return entry !== undefined && "text" in entry ? entry.text : undefined
}

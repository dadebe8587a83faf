import { join } from "node:path"
import { encodeKey, type Key, type TextEntry } from "@sessile/core/storage"
import { temporaryFolder, withSql } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

const key: Key = ["session", "p", "s05"]

describe("a record that was altered outside of the store is CORRUPT, with its key and path", () => {
  test.each<[string, (storage: SqliteStorage) => Promise<unknown>]>([
    ["for read", (storage) => storage.read(key)],
    ["for update", (storage) => storage.update(key, () => undefined)],
    ["for scan", (storage) => gather(storage.scan(["session"]))],
    ["for scanMany", (storage) => gather(storage.scanMany([["session"]]))],
    ["for a snapshot", (storage) => gather(storage.scan(["session"], { snapshot: true }))],
    ["for find", (storage) => gather(storage.find("sessions-by-updated"))],
  ])("%s", async (_, use) => {
    await using store = await alteredStore()
    await using storage = await SqliteStorage.open({ path: store.path })
    const error = await use(storage).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: "CORRUPT", key, path: store.path })
    expect(String(error)).not.toContain("Altered")
  })

  test.each([{}, { readonly: true }, { untouched: true }])(
    "for bulk reads, which go on with the others, opened with %o",
    async (options) => {
      await using store = await alteredStore()
      await using storage = await SqliteStorage.open({ path: store.path, ...options })
      const entries: TextEntry[] = []
      for await (const page of storage.scanTexts()) entries.push(...page)
      const keys = entries.map((entry) => entry.key)
      for (const read of [entries, await storage.readTexts(keys)]) {
        expect(read).toHaveLength(20)
        const invalid = read.filter((entry) => entry !== undefined && "error" in entry)
        expect(invalid).toMatchObject([{ key: encodeKey(key), error: { code: "CORRUPT", key } }])
      }
    },
  )

  test("for adding what is there already, which leaves it alone", async () => {
    await using store = await alteredStore()
    await using storage = await SqliteStorage.open({ path: store.path })
    const [present] = await storage.addTexts([{ key: encodeKey(key), text: "{}" }])
    expect(present).toMatchObject({ error: { code: "CORRUPT" } })
  })
})

test("a value that lies under another key is CORRUPT", async () => {
  await using store = await alteredStore(
    `UPDATE records SET value = (SELECT value FROM records WHERE key = ${blob(["session", "p", "s06"])})`,
  )
  await using storage = await SqliteStorage.open({ path: store.path })
  await expect(storage.read(key)).rejects.toMatchObject({ code: "CORRUPT" })
})

test("writing over an altered record makes it whole, and indexes know it once", async () => {
  await using store = await alteredStore()
  await using storage = await SqliteStorage.open({ path: store.path })
  await storage.write(key, { time: { updated: 999 } })
  expect(await storage.read(key)).toEqual({ time: { updated: 999 } })
  const found = await gather(storage.find("sessions-by-updated", { reverse: true }))
  expect(found).toHaveLength(20)
  expect(found[0]).toMatchObject({ key })
})

/** A store of 20 sessions, one of which was changed by SQL. */
async function alteredStore(change = `UPDATE records SET value = '{"title":"Altered"}'`) {
  const folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  const storage = await SqliteStorage.open({ path })
  for (let index = 0; index < 20; index++) {
    const id = `s${String(index).padStart(2, "0")}`
    await storage.write(["session", "p", id], { title: `Title ${index}`, time: { updated: index } })
  }
  await storage.close()
  withSql(path, (database) => {
    database.exec(`${change} WHERE key = ${blob(key)}`)
  })
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

function blob(segments: Key): string {
  return `x'${Buffer.from(encodeKey(segments)).toString("hex")}'`
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

const adder = fileURLToPath(new URL("testing/adder.mjs", import.meta.url))

describe("adding texts", () => {
  test("keeps what is there, gives it back, and keeps the indexes", async () => {
    await using storage = await SqliteStorage.open({ path: ":memory:" })
    await storage.write(["session", "p", "a"], { time: { updated: 2 } })
    const [taken, free] = ["a", "b"].map((id) => ({
      key: `session\0p\0${id}`,
      text: `{ "time": { "updated": 1 } }`,
    }))
    const present = await storage.addTexts([taken, free] as never)
    expect(present).toEqual([
      { key: "session\0p\0a", text: JSON.stringify({ time: { updated: 2 } }, undefined, 2) },
      undefined,
    ])
    const found: unknown[] = []
    for await (const { key } of storage.find("sessions-by-updated")) found.push(key[2])
    expect(found).toEqual(["b", "a"])
  })

  test("among many that are free finds the few that are not", async () => {
    await using storage = await SqliteStorage.open({ path: ":memory:" })
    const records = Array.from({ length: 103 }, (_, index) => ({
      key: `part\0m\0${index}`,
      text: `[\n  ${index}\n]`,
    }))
    const taken = [0, 40, 77, 102]
    await storage.addTexts(taken.map((index) => ({ key: `part\0m\0${index}`, text: "[\n  0\n]" })))
    const present = await storage.addTexts(records)
    expect(present.flatMap((entry, index) => (entry === undefined ? [] : [index]))).toEqual(taken)
    expect((await storage.list([])).length).toBe(103)
    expect(await storage.read(["part", "m", "41"])).toEqual([41])
    expect(await storage.read(["part", "m", "40"])).toEqual([0])
  })

  test("changes nothing if one of them fails", async () => {
    await using storage = await SqliteStorage.open({ path: ":memory:" })
    const records = [
      { key: "a", text: "1" },
      { key: "b", text: null as never },
    ]
    await expect(storage.addTexts(records)).rejects.toThrow()
    expect(await storage.list([])).toEqual([])
  })

  test("from four processes at once has one winner for each key, whom the others hear of", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "history.db")
    const names = ["a", "b", "c", "d"]
    const heard = await Promise.all(
      names.map(async (name) => {
        const { stdout } = await promisify(execFile)(process.execPath, [adder, path, name, "1000"])
        return JSON.parse(stdout) as (string | null)[]
      }),
    )
    await using storage = await SqliteStorage.open({ path })
    const stored: string[] = []
    for await (const page of storage.scanTexts()) {
      for (const entry of page) stored.push("text" in entry ? entry.text : "")
    }
    const texts = names.map((title) => JSON.stringify({ title }, undefined, 2))
    const expected = texts.map((own) => stored.map((text) => (text === own ? null : text)))
    expect(stored).toHaveLength(1_000)
    expect(heard).toEqual(expected)
    let found = 0
    for await (const _ of storage.find("sessions-by-updated")) found++
    expect(found).toBe(1_000)
  }, 60_000)
})

test("many records are read with large and odd ones among them, and absent ones", async () => {
  await using storage = await SqliteStorage.open({ path: ":memory:" })
  const keys = ["a", "b", "c\u0001", "d,", "e", "f\0g", "h\uFFFF", "i\u{1F600}", "j", "k"]
  const texts = [
    "[\n  1\n]",
    `"${"x".repeat(100_000)}"`,
    "[]",
    '"é, 1"',
    '{"a":1}',
    "1.0",
    " {}",
    "[\n  2\n]",
    "3",
  ]
  const records = texts.map((text, index) => ({ key: keys[index] as string, text }))
  await storage.addTexts(records)
  const found = await storage.readTexts(keys)
  expect(found.map((entry) => entry && "text" in entry && entry.text)).toEqual([...texts, undefined])
})

test("a record on a damaged page does not keep the others from being read", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  const storage = await SqliteStorage.open({ path })
  await storage.write(["a"], 1)
  await storage.write(["b"], "secret ".repeat(20_000))
  await storage.close()
  const bytes = readFileSync(path)
  const pageSize = bytes.readUInt16BE(16)
  // Within the pages that this record alone fills, where each begins with the number of the next.
  const page = Math.floor(bytes.length / pageSize) - 3
  writeFileSync(path, bytes.fill(0xff, page * pageSize, page * pageSize + 4))

  await using damaged = await SqliteStorage.open({ path })
  const [first, second, third] = await damaged.readTexts(["a", "b", "c"])
  expect(first).toEqual({ key: "a", text: "1" })
  expect(second).toMatchObject({ key: "b", error: { code: "CORRUPT", path } })
  expect(JSON.stringify(second)).not.toContain("secret")
  expect(third).toBeUndefined()
})

describe("flush resolves", () => {
  test("with a log, while another handle is reading", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "history.db")
    await using storage = await SqliteStorage.open({ path })
    await storage.write(["a"], 1)
    const reader = new SqliteDatabase(path, { readonly: true })
    reader.exec("BEGIN; SELECT * FROM records")
    await storage.write(["b"], 2)
    await storage.flush()
    reader.close()
  })

  test.each(["DELETE", "MEMORY"])("without a log (%s)", async (mode) => {
    await using folder = await temporaryFolder()
    const database = new SqliteDatabase(join(folder.path, "history.db"))
    database.pragma(`journal_mode = ${mode}`)
    await using storage = await SqliteStorage.open({ database })
    await storage.write(["a"], 1)
    await storage.flush()
    database.close()
  })

  test("in memory, and for reading", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "history.db")
    await (await SqliteStorage.open({ path })).close()
    for (const options of [{ path: ":memory:" }, { path, readonly: true }, { path, untouched: true }]) {
      await using storage = await SqliteStorage.open(options)
      await storage.flush()
    }
  })
})

test("a scan for changes reads nothing when the file has not been written to since", async () => {
  await using folder = await temporaryFolder()
  await using storage = await SqliteStorage.open({ path: join(folder.path, "history.db") })
  await storage.write(["k"], 1)
  const changedSince = async (time: number) => {
    let count = 0
    for await (const page of storage.scanTexts({ changedSince: time })) count += page.length
    return count
  }
  expect(await changedSince(0)).toBe(1)
  expect(await changedSince(Date.now() + 60_000)).toBe(0)
})

import { mkdir, stat, truncate, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { encodeKey } from "@sessile/core/storage"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { gather } from "./testing/gather.js"
import { recordFilesOf } from "./testing/tree.js"

describe("the text of a record is what its file holds", () => {
  test.each([
    ["odd formatting", '{"b":1,\r\n\t"a" : 1.0}\n'],
    ["a byte order mark", '\uFEFF{ "a": 1 }'],
    ["a replacement character", '"\uFFFD"'],
    ["characters of every length", '"aé€😀"'],
    ["no JSON", "{ half"],
    ["nothing", ""],
    ["more than fits into one piece", JSON.stringify("é".repeat(100_000))],
    ["over a megabyte", `${" ".repeat(1_500_000)}1`],
  ])("%s", async (_, text) => {
    await using store = await storeWith({ "a/b.json": text })
    const entry = { key: encodeKey(["a", "b"]), text }
    expect(await textsOf(store.storage)).toEqual([entry])
    expect(await store.storage.readTexts([entry.key])).toEqual([entry])
  })

  test("for every record of a real store", async () => {
    await using fixture = await copyFixture("v1.1.65")
    const path = join(fixture.path, "storage")
    await using storage = await JsonStorage.open({ path, readonly: true })
    const texts = (await gather(storage.scanTexts())).flat().map((entry) => "text" in entry && entry.text)
    const files = Object.values(await recordFilesOf(path)).map((bytes) =>
      Buffer.from(bytes, "latin1").toString(),
    )
    expect(texts.toSorted()).toEqual(files.toSorted())
  })
})

describe("a record that cannot be had names its file", () => {
  test("when it is not UTF-8", async () => {
    await using store = await storeWith({ "a.json": Buffer.from([0x22, 0xff, 0x22]), "b.json": "1" })
    const unreadable = { key: "a", error: { code: "CORRUPT", key: ["a"] }, file: join(store.path, "a.json") }
    expect(await gather(store.storage.scanTexts())).toMatchObject([[unreadable, { key: "b", text: "1" }]])
    expect(await store.storage.readTexts(["a"])).toMatchObject([unreadable])
  })

  test("when it is larger than a string can be", async () => {
    await using store = await storeWith({ "a.json": "", "b.json": "1" })
    const file = join(store.path, "a.json")
    await truncate(file, 600_000_000)
    const unreadable = { key: "a", error: { code: "CORRUPT" }, file }
    expect(await gather(store.storage.scanTexts())).toMatchObject([[unreadable, { key: "b", text: "1" }]])
    const reading = store.storage.read(["a"])
    await expect(reading).rejects.toThrow(`The record is too large (600000000 bytes) [a] (${file})`)
  })
})

describe("others get their turn", () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`a/${index}.json`, "1"]))

  test("while a store is scanned, listed and read", async () => {
    await using store = await storeWith(files)
    const keys = (await store.storage.list([])).map(encodeKey)
    expect(await turnsDuring(() => gather(store.storage.scan([])))).toBeGreaterThanOrEqual(4)
    expect(await turnsDuring(() => store.storage.list([]))).toBeGreaterThanOrEqual(4)
    expect(await turnsDuring(() => store.storage.readTexts(keys))).toBeGreaterThanOrEqual(4)
  })

  test("while nothing but empty folders comes along", async () => {
    await using store = await storeWith({})
    for (let index = 0; index < 300; index++) await mkdir(join(store.path, `folder${index}`))
    expect(await turnsDuring(() => store.storage.list([]))).toBeGreaterThanOrEqual(4)
  })

  test("after every large record", async () => {
    await using store = await storeWith({ "a.json": JSON.stringify("x".repeat(300_000)) })
    const reading = async () => {
      for (let round = 0; round < 5; round++) await store.storage.read(["a"])
    }
    expect(await turnsDuring(reading)).toBeGreaterThanOrEqual(5)
  })
})

/** All records, by keys and texts alone. */
async function textsOf(storage: JsonStorage): Promise<{ key: string; text: string | undefined }[]> {
  const entries = (await gather(storage.scanTexts())).flat()
  return entries.map((entry) => ({ key: entry.key, text: "text" in entry ? entry.text : undefined }))
}

/** How often the event loop came round during an action. */
async function turnsDuring(action: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  await action()
  clearImmediate(next)
  return turns
}

async function storeWith(files: Record<string, string | Buffer>) {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true })
    await writeFile(join(folder.path, name), content)
  }
  const storage = await JsonStorage.open({ path: folder.path, readonly: true })
  return { path: folder.path, storage, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test("a scan for changes gives what was written since, and nothing older", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.write(["old"], 1)
  const { ctimeMs } = await stat(join(folder.path, "old.json"))
  let since: number
  do {
    await storage.write(["new"], 2)
    since = (await stat(join(folder.path, "new.json"))).mtimeMs
  } while (since === ctimeMs)
  expect(await changesSince(storage, since)).toEqual(["new"])
})

describe("in a folder that was scanned before, a scan for changes finds", () => {
  const PAST = new Date("2026-01-01")

  test.each([
    ["a record that was changed in its place", "a/one.json", "a\0one"],
    ["a record that was added", "a/three.json", "a\0three"],
    ["a record in a folder that was added", "a/below/three.json", "a\0below\0three"],
  ])("%s", async (_, name, key) => {
    await using store = await storeWith({ "a/one.json": "1", "a/two.json": "2" })
    for (const path of ["a/one.json", "a/two.json", "a"]) await utimes(join(store.path, path), PAST, PAST)
    const since = Date.now() + 60_000
    await textsOf(store.storage)
    expect(await changesSince(store.storage, since)).toEqual([])
    const changed = new Date(since + 1_000)
    await mkdir(dirname(join(store.path, name)), { recursive: true })
    await writeFile(join(store.path, name), "3")
    for (const path of [name, dirname(name), "a"]) await utimes(join(store.path, path), changed, changed)
    expect(await changesSince(store.storage, since)).toEqual([key])
  })
})

async function changesSince(storage: JsonStorage, since: number): Promise<string[]> {
  const pages = await gather(storage.scanTexts({ changedSince: since }))
  return pages.flat().map(({ key }) => key)
}

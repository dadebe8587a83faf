import { once } from "node:events"
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { encodeKey } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { caseInsensitiveFolder } from "./testing/case-insensitive-folder.js"
import { runChild, startChild } from "./testing/child-process.js"
import { gather } from "./testing/gather.js"
import { skip } from "./testing/skip.js"
import { mountFileSystem, mountSmallFileSystem } from "./testing/small-file-system.js"
import { filesOf, recordFilesOf, stateOf } from "./testing/tree.js"

const LONG = 60_000
const key = encodeKey(["message", "ses_1", "msg_1"])
const file = join("message", "ses_1", "msg_1.json")

describe.each(["normal", "full"] as const)("with durability %s", (durability) => {
  test("a free key gets the text as it is, a taken one keeps its own", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path, durability })
    const odd = '\uFEFF{"a":1 ,\n"a":1e0}\n'
    expect(await storage.addTexts([{ key, text: odd }])).toEqual([undefined])
    const records = [
      { key, text: "2" },
      { key: "free", text: "3" },
    ]
    expect(await storage.addTexts(records)).toEqual([{ key, text: odd }, undefined])
    expect(await storage.readTexts([key, "free", "absent"])).toEqual([
      { key, text: odd },
      { key: "free", text: "3" },
      undefined,
    ])
    expect(Object.keys(await filesOf(folder.path)).sort()).toEqual(["free.json", file])
  })
})

test("what is added is for its owner only", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.addTexts([{ key, text: "1" }])
  const state = await stateOf(folder.path)
  expect(state[file]?.slice(0, 6)).toBe("100600")
  expect(state.message?.slice(0, 5)).toBe("40700")
})

test("a record that cannot be read is in the way, and stays", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  const path = join(folder.path, "damaged.json")
  await writeFile(path, Buffer.from([0xff]))
  const [present] = await storage.addTexts([{ key: "damaged", text: "1" }])
  expect(present).toMatchObject({ key: "damaged", error: { code: "CORRUPT" }, file: path })
  expect(await readFile(path)).toEqual(Buffer.from([0xff]))
})

test("a link that leads nowhere gives way, a folder does not", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await symlink("nowhere", join(folder.path, "link.json"))
  await mkdir(join(folder.path, "folder.json"))
  expect(await storage.addTexts([{ key: "link", text: "1" }])).toEqual([undefined])
  expect(await storage.read(["link"])).toBe(1)
  const [present] = await storage.addTexts([{ key: "folder", text: "1" }])
  expect(present).toMatchObject({ key: "folder", error: { code: "CORRUPT", key: ["folder"] } })
  expect(await readdir(join(folder.path, ".sessile", "temporary"))).toEqual([])
})

test("a key that makes no file name stops all before the first is added, and is named", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  const tooLong = "x".repeat(251)
  const records = [key, tooLong].map((name) => ({ key: name, text: "1" }))
  await expect(storage.addTexts(records)).rejects.toMatchObject({ code: "INVALID_KEY", key: [tooLong] })
  expect(await filesOf(folder.path)).toEqual({})
})

describe("four processes that add under the same keys", () => {
  const keys = Array.from({ length: 200 }, (_, index) => ["part", `msg_${index % 20}`, `prt_${index}`])

  test("see one winner for each key", { timeout: LONG }, async () => {
    await using folder = await temporaryFolder()
    await compete(folder.path)
  })

  test("do so where files cannot be linked, too", { timeout: LONG }, async (context) => {
    await using folder = await temporaryFolder()
    await using part = await mountFileSystem(join(folder.path, "part"))
    if (part === undefined) skip(context, "nothing can be mounted here")
    await compete(folder.path)
    expect(Object.keys(await filesOf(part.path))).toHaveLength(keys.length)
  })

  async function compete(path: string): Promise<void> {
    // Each begins elsewhere, so that each has a chance to be first.
    const rotated = <T>(items: readonly T[], by: number) => [...items.slice(by), ...items.slice(0, by)]
    const seen = await Promise.all(
      ['"same"', '"same"', '"third"', '"fourth"'].map(async (text, index) => {
        const printed = await runChild("add-texts.mjs", { path, keys: rotated(keys, index * 50), text })
        return rotated(JSON.parse(printed), 200 - index * 50)
      }),
    )
    await using storage = await JsonStorage.open({ path, readonly: true })
    const winners = (await gather(storage.scanTexts())).flat()
    const textOf = new Map(winners.map((entry) => [entry.key, "text" in entry && entry.text]))
    const expected = keys.map((name) => textOf.get(encodeKey(name)))
    expect(expected).not.toContain(undefined)
    for (const texts of seen) expect(texts).toEqual(expected)
    expect(await readdir(join(path, ".sessile", "temporary"))).toEqual([])
    expect(await readdir(join(path, ".sessile", "locks"))).toEqual([])
  }
})

test("killed while adding, a store holds whole records, and what is left is swept", {
  timeout: LONG,
}, async () => {
  await using folder = await temporaryFolder()
  const text = JSON.stringify("x".repeat(50_000))
  for (let round = 0; round < 8; round++) {
    const child = startChild("add-endlessly.mjs", { path: folder.path, text })
    let dots = 10 + round * 7
    child.stdout.on("data", (printed: Buffer) => {
      dots -= printed.length
      if (dots <= 0) child.kill("SIGKILL")
    })
    await once(child, "close")
  }
  expect(new Set(Object.values(await recordFilesOf(folder.path)))).toEqual(new Set([text]))

  const temporary = join(folder.path, ".sessile", "temporary")
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  for (const name of await readdir(temporary)) await utimes(join(temporary, name), longAgo, longAgo)
  await using storage = await JsonStorage.open({ path: folder.path })
  expect(await readdir(temporary)).toEqual([])
  expect((await storage.list([])).length).toBeGreaterThan(8 * 10)
})

test("on a full disk adding is FULL, and leaves nothing behind", async (context) => {
  await using disk = await mountSmallFileSystem()
  if (disk === undefined) skip(context, "a small file system cannot be mounted here")
  await using storage = await JsonStorage.open({ path: disk.path })
  const big = { key, text: JSON.stringify("x".repeat(2_000_000)) }
  await expect(storage.addTexts([big])).rejects.toMatchObject({ code: "FULL", path: join(disk.path, file) })
  expect(await filesOf(disk.path)).toEqual({})
  await disk.makeReadonly()
  await expect(storage.addTexts([{ key, text: "1" }])).rejects.toMatchObject({ code: "READONLY" })
})

test("where there are no hard links, and letter case does not matter, it works as well", async (context) => {
  await using folder = await caseInsensitiveFolder()
  if (folder === undefined) skip(context, "there is no file system at hand that ignores letter case")
  await using storage = await JsonStorage.open({ path: folder.path })
  expect(await storage.addTexts([{ key, text: "1" }])).toEqual([undefined])
  expect(await storage.addTexts([{ key, text: "2" }])).toEqual([{ key, text: "1" }])
  const twin = storage.addTexts([{ key: key.toUpperCase(), text: "3" }])
  await expect(twin).rejects.toMatchObject({ code: "INVALID_KEY" })
  expect(Object.values(await filesOf(folder.path))).toEqual(["1"])
})

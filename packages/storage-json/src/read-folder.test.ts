import { chmod, mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Shelf } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { skip } from "./testing/skip.js"

async function openStore(files: Readonly<Record<string, string | Buffer>>) {
  const folder = await temporaryFolder()
  const path = join(folder.path, "part", "msg_a")
  await mkdir(path, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
  const storage = await JsonStorage.open({ path: folder.path, readonly: true })
  return {
    path,
    storage,
    read: () => storage.readFolder(["part", "msg_a"], new Shelf()),
    async [Symbol.asyncDispose]() {
      await storage.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test("a folder of plain small records is read at once, in key order", async () => {
  await using store = await openStore({ "prt_b.json": "{}", "prt_ab.json": '"é"', "prt_a.json": "half {" })
  const folder = store.read()
  expect(folder?.ids).toEqual(["prt_a", "prt_ab", "prt_b"])
  expect(folder?.contents.map(String)).toEqual(["half {", '"é"', "{}"])
})

describe("it is left to scanTexts where there is", () => {
  test.each<[string, string, string | Buffer]>([
    ["an empty file", "prt_b.json", ""],
    ["a large file", "prt_b.json", `"${"x".repeat(64 * 1024)}"`],
    ["something else than UTF-8", "prt_b.json", Buffer.of(0xff)],
    ["a file that is no record", "notes.txt", "{}"],
    ["a record of another kind of name", "prt-b.json", "{}"],
    ["a record whose name is escaped", "prt_%C3%A9.json", "{}"],
  ])("%s", async (_, name, content) => {
    await using store = await openStore({ "prt_a.json": "{}", [name]: content })
    expect(store.read()).toBeUndefined()
  })

  test("a folder that is named like a record", async () => {
    await using store = await openStore({ "prt_a.json": "{}" })
    await mkdir(join(store.path, "prt_b.json"))
    expect(store.read()).toBeUndefined()
  })

  test("a link to nowhere", async () => {
    await using store = await openStore({ "prt_a.json": "{}" })
    await symlink("nowhere", join(store.path, "prt_b.json"))
    expect(store.read()).toBeUndefined()
  })

  test("a file that may not be read", async (context) => {
    if (process.getuid?.() === 0) skip(context, "permissions do not apply to root")
    await using store = await openStore({ "prt_a.json": "{}" })
    await chmod(join(store.path, "prt_a.json"), 0)
    expect(store.read()).toBeUndefined()
  })

  test("no folder", async () => {
    await using store = await openStore({})
    expect(store.storage.readFolder(["part", "msg_b"], new Shelf())).toBeUndefined()
  })
})

test("once closed, it is CLOSED", async () => {
  await using store = await openStore({})
  await store.storage.close()
  expect(store.read).toThrow(expect.objectContaining({ code: "CLOSED" }))
})

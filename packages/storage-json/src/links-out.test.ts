import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { encodeKey, type ForeignFile, Shelf } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { migrate } from "./migration/migrate.js"
import { gather } from "./testing/gather.js"
import { filesOf, stateOf } from "./testing/tree.js"

const key = ["part", "msg_1", "prt_1"]

describe("a folder that is a link out of the store", () => {
  test.each(["part", "part/msg_1"])(
    "(%s) is told of as an unknown file, and nothing in it is read",
    async (name) => {
      await using store = await storeWithLink(name)
      const files: ForeignFile[] = []
      const texts = (await gather(store.storage.scanTexts({ onForeign: (file) => files.push(file) }))).flat()
      expect(texts.map((entry) => entry.key)).toEqual([encodeKey(["message", "ses_1", "msg_1"])])
      expect(files).toEqual([{ path: join(store.path, name), reason: "a link that leads out of the store" }])
    },
  )

  test.each(["part", "part/msg_1"])("(%s) is nothing that changed", async (name) => {
    await using store = await storeWithLink(name)
    const changed = (await gather(store.storage.scanTexts({ changedSince: 0 }))).flat()
    expect(changed.map((entry) => entry.key)).toEqual([encodeKey(["message", "ses_1", "msg_1"])])
  })

  test.each(["part", "part/msg_1"])("(%s) is an error where nobody wants to be told", async (name) => {
    await using store = await storeWithLink(name)
    const { storage } = store
    const error = { code: "CORRUPT", path: expect.stringContaining(join(store.path, name)) }
    await expect(storage.read(key)).rejects.toMatchObject({ ...error, key })
    await expect(storage.list([])).rejects.toMatchObject(error)
    await expect(storage.list(["part", "msg_1"])).rejects.toMatchObject(error)
    await expect(gather(storage.scan([]))).rejects.toMatchObject(error)
    expect(() => storage.readFolder(["part", "msg_1"], new Shelf())).toThrow(expect.objectContaining(error))
    const entries = await gather(
      storage.scan([], { onCorrupt: (found) => expect(found).toMatchObject(error) }),
    )
    expect(entries).toHaveLength(1)
    expect(await storage.list(["message"])).toHaveLength(1)
    await storage.flush()
  })

  test.each(["part", "part/msg_1"])("(%s) is not written to, and nothing in it is removed", async (name) => {
    await using store = await storeWithLink(name)
    const { storage } = store
    const before = await stateOf(store.elsewhere)
    const error = { code: "CORRUPT", key }
    await expect(storage.write(key, 1)).rejects.toMatchObject(error)
    await expect(storage.update(key, () => undefined)).rejects.toMatchObject(error)
    await expect(storage.remove(key)).rejects.toMatchObject(error)
    await expect(storage.batch([{ type: "remove", key }])).rejects.toMatchObject(error)
    const absent = ["part", "msg_1", "prt_2"]
    const adding = storage.addTexts([{ key: encodeKey(absent), text: "1" }])
    await expect(adding).rejects.toMatchObject({ code: "CORRUPT", key: absent })
    expect(await stateOf(store.elsewhere)).toEqual(before)
  })
})

test("a record that is a link out of the store is replaced by a write and removed, and what it links to stays", async () => {
  await using store = await storeWithLink("part")
  const { storage } = store
  const target = join(store.elsewhere, "msg_1", "prt_1.json")
  await symlink(target, join(store.path, "message", "ses_1", "msg_2.json"))
  const linked = ["message", "ses_1", "msg_2"]
  await storage.write(linked, { new: true })
  expect(await storage.read(linked)).toEqual({ new: true })
  await storage.remove(linked)
  await symlink(target, join(store.path, "message", "ses_1", "msg_2.json"))
  await storage.remove(linked)
  expect(await storage.list(["message"])).toHaveLength(1)
  expect(await filesOf(store.elsewhere)).toEqual({ "msg_1/prt_1.json": '{"secret":1}' })
})

test("Sessile's own folder is not used where it is a link out of the store", async () => {
  await using folder = await temporaryFolder()
  await using elsewhere = await temporaryFolder()
  await mkdir(join(elsewhere.path, "temporary"))
  await writeFile(join(elsewhere.path, "temporary", "theirs"), "")
  await symlink(elsewhere.path, join(folder.path, ".sessile"))
  await expect(JsonStorage.open({ path: folder.path })).rejects.toMatchObject({ code: "CORRUPT" })
  await expect(migrate({ path: folder.path })).rejects.toMatchObject({ code: "CORRUPT" })
  expect(await filesOf(elsewhere.path)).toEqual({ "temporary/theirs": "" })
})

test("the store itself, and folders above it, may be links", async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, "real", "data", "storage"), { recursive: true })
  await symlink(join(folder.path, "real"), join(folder.path, "home"))
  await symlink("data", join(folder.path, "real", "link"))
  await using storage = await JsonStorage.open({ path: join(folder.path, "home", "link", "storage") })
  await storage.write(key, 1)
  await storage.update(key, () => undefined)
  expect(await storage.read(key)).toBe(1)
  expect(await storage.list([])).toEqual([key])
  await storage.remove(key)
  expect(await storage.list([])).toEqual([])
})

/** A store with one record, and a folder that is a link to one with another record elsewhere. */
async function storeWithLink(name: string) {
  const folder = await temporaryFolder()
  const elsewhere = await temporaryFolder()
  await mkdir(join(elsewhere.path, "msg_1"))
  await writeFile(join(elsewhere.path, "msg_1", "prt_1.json"), '{"secret":1}')
  const storage = await JsonStorage.open({ path: folder.path })
  await storage.write(["message", "ses_1", "msg_1"], 1)
  if (name.includes("/")) await mkdir(join(folder.path, "part"))
  await symlink(join(elsewhere.path, ...name.split("/").slice(1)), join(folder.path, name))
  return {
    path: folder.path,
    elsewhere: elsewhere.path,
    storage,
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]()
      await elsewhere[Symbol.asyncDispose]()
    },
  }
}

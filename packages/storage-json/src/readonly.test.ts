import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { gather } from "./testing/gather.js"
import { stateOf } from "./testing/tree.js"

describe("a store opened for reading", () => {
  test("is read whole without a trace", async () => {
    await using copy = await copyFixture("v1.1.65")
    const path = join(copy.path, "storage")
    const before = await stateOf(path)
    await using storage = await JsonStorage.open({ path, readonly: true })
    const keys = await storage.list([])
    expect(keys.length).toBeGreaterThan(20)
    expect(await gather(storage.scan([]))).toHaveLength(keys.length)
    expect(await gather(storage.find("sessions-by-updated"))).not.toEqual([])
    for (const key of keys.slice(0, 5)) await storage.read(key)
    await storage.close()
    expect(await stateOf(path)).toEqual(before)
  })

  test("refuses every change with READONLY, and changes nothing", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "a.json"), "{}")
    const before = await stateOf(folder.path)
    await using storage = await JsonStorage.open({ path: folder.path, readonly: true })
    const refused = expect.objectContaining({ code: "READONLY" })
    await expect(storage.write(["a"], 1)).rejects.toEqual(refused)
    await expect(storage.update(["a"], () => undefined)).rejects.toEqual(refused)
    await expect(storage.remove(["a"])).rejects.toEqual(refused)
    await expect(storage.batch([])).rejects.toEqual(refused)
    expect(await stateOf(folder.path)).toEqual(before)
  })

  test("needs no permission to write", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "store")
    await mkdir(join(path, "a"), { recursive: true })
    await writeFile(join(path, "a", "b.json"), "{}")
    for (const place of [join(path, "a"), path]) await chmod(place, 0o555)
    await using storage = await JsonStorage.open({ path, readonly: true })
    expect(await gather(storage.scan([]))).toEqual([{ key: ["a", "b"], value: {} }])
    for (const place of [path, join(path, "a")]) await chmod(place, 0o755)
  })

  test("sees what another writes", async () => {
    await using folder = await temporaryFolder()
    await using reader = await JsonStorage.open({ path: folder.path, readonly: true })
    await using writer = await JsonStorage.open({ path: folder.path })
    expect(await reader.list([])).toEqual([])
    await writer.write(["a", "b"], 1)
    expect(await reader.read(["a", "b"])).toBe(1)
    await writer.remove(["a", "b"])
    await expect(reader.read(["a", "b"])).rejects.toMatchObject({ code: "NOT_FOUND", key: ["a", "b"] })
  })

  test("must be there", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "absent")
    await expect(JsonStorage.open({ path, readonly: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
      path,
    })
    expect(Object.keys(await stateOf(folder.path))).toEqual(["."])
  })

  test("must be a folder", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "file")
    await writeFile(path, "{}")
    for (const place of [path, join(path, "below")]) {
      const opening = JsonStorage.open({ path: place, readonly: true })
      await expect(opening).rejects.toMatchObject({ code: "INVALID_ARGUMENT", path: place })
    }
  })
})

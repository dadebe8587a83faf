import { mkdir, readdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { writeAtomically } from "./atomic-file.js"
import { JsonStorage } from "./json-storage.js"
import { skip } from "./testing/skip.js"
import { mountFileSystem } from "./testing/small-file-system.js"
import { filesOf } from "./testing/tree.js"

test("a reader never sees a part of a record that is being rewritten", { timeout: 30_000 }, async () => {
  await using folder = await temporaryFolder()
  await using writer = await JsonStorage.open({ path: folder.path })
  await using reader = await JsonStorage.open({ path: folder.path, readonly: true })
  const value = (round: number) => ({ text: String(round % 10).repeat(500_000 + round) })
  await writer.write(["big"], value(0))

  let writing = true
  const writes = (async () => {
    for (let round = 1; round <= 60; round++) await writer.write(["big"], value(round))
    writing = false
  })()
  let reads = 0
  while (writing) {
    const { text } = await reader.read<{ text: string }>(["big"])
    expect(text.length).toBeGreaterThanOrEqual(500_000)
    expect(text === String((text.length - 500_000) % 10).repeat(text.length)).toBe(true)
    reads++
  }
  await writes
  expect(reads).toBeGreaterThan(5)
})

test("what is being prepared is no record", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.write(["a", "b"], 1)
  await writeFile(join(folder.path, ".sessile", "temporary", "prepared.json"), "{}")
  await writeFile(join(folder.path, "a", ".0b0c7a3e-prepared"), "{}")
  expect(await storage.list([])).toEqual([["a", "b"]])
})

test("nothing but the record is left behind, also when the old content is replaced", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "new", "folders", "record.json")
  const temporary = join(folder.path, "temporary")
  for (const content of ["first", Buffer.from("second")]) {
    await writeAtomically(path, content, { temporary })
  }
  expect(await filesOf(folder.path)).toEqual({ "new/folders/record.json": "second" })
})

test("a write that fails leaves nothing prepared", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "taken.json")
  const temporary = join(folder.path, "temporary")
  await mkdir(join(path, "by a folder"), { recursive: true })
  await expect(writeAtomically(path, "text", { temporary })).rejects.toThrow()
  expect(await readdir(temporary)).toEqual([])
})

test("a folder that is a link within the store takes records", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await mkdir(join(folder.path, "elsewhere"))
  await symlink(join(folder.path, "elsewhere"), join(folder.path, "message"))
  await storage.write(["message", "a"], 1)
  await storage.update(["message", "a"], () => undefined)
  expect(await filesOf(join(folder.path, "elsewhere"))).toEqual({ "a.json": "1" })
  expect(await storage.list(["message"])).toEqual([["message", "a"]])
})

describe("a folder on another file system", () => {
  test("takes records of every length of name, and nothing else is left there", async (context) => {
    await using folder = await temporaryFolder()
    await using other = await mountFileSystem(join(folder.path, "message"))
    if (other === undefined) skip(context, "nothing can be mounted here")
    await using storage = await JsonStorage.open({ path: folder.path, durability: "full" })

    const longest = "x".repeat(250)
    for (const name of ["a", longest]) {
      await storage.write(["message", name], { name: "?" })
      await storage.update<{ name: string }>(["message", name], (draft) => {
        draft.name = name.slice(0, 1)
      })
    }
    expect(await filesOf(other.path)).toEqual({
      "a.json": '{\n  "name": "a"\n}',
      [`${longest}.json`]: '{\n  "name": "x"\n}',
    })
    expect(await readdir(join(folder.path, ".sessile", "temporary"))).toEqual([])
    await storage.remove(["message", "a"])
    expect(await storage.list([])).toEqual([["message", longest]])
  })
})

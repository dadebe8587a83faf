import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { LetterCase } from "./letter-case.js"
import { caseInsensitiveFolder, ignoresLetterCase } from "./testing/case-insensitive-folder.js"
import { gather } from "./testing/gather.js"
import { skip } from "./testing/skip.js"
import { recordFilesOf } from "./testing/tree.js"

describe("where letter case matters", () => {
  test("keys that differ in nothing else are two records", async (context) => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    if (await ignoresLetterCase(folder.path)) skip(context, "the temporary folder ignores letter case")
    await storage.write(["a", "b"], 1)
    await storage.write(["A", "b"], 2)
    await storage.write(["a", "B"], 3)
    expect(await storage.list([])).toEqual([
      ["A", "b"],
      ["a", "B"],
      ["a", "b"],
    ])
    const letterCase = await LetterCase.of(folder.path)
    expect(letterCase.isSpeltDifferently(join(folder.path, "a", "c.json"))).toBe(false)
    expect(letterCase.isSpeltDifferently(join(folder.path, "PROBE"))).toBe(false)
  })

  test("it is found out without writing, in an empty folder as well", async () => {
    await using folder = await temporaryFolder()
    const letterCase = await LetterCase.of(folder.path)
    expect(letterCase.isSpeltDifferently(join(folder.path, "a.json"))).toBe(false)
    expect(await readdir(folder.path)).toEqual([])
  })
})

describe("where letter case does not matter", () => {
  const twins: [string[], string[]][] = [
    [
      ["a", "b"],
      ["a", "B"],
    ],
    [
      ["a", "b"],
      ["A", "b"],
    ],
    [
      ["session", "id"],
      ["SESSION", "ID"],
    ],
    [
      ["a.json", "con"],
      ["A.json", "con"],
    ],
  ]

  test("a key that differs in nothing else is refused on writing and absent on reading", async (context) => {
    for (const [key, twin] of twins) {
      await using folder = await caseInsensitiveFolder()
      if (folder === undefined) skip(context, "there is no file system at hand that ignores letter case")
      await using storage = await JsonStorage.open({ path: folder.path })
      await storage.write(key, { key })
      await expect(storage.write(twin, {})).rejects.toMatchObject({ code: "INVALID_KEY", key: twin })
      await expect(storage.update(twin, () => undefined)).rejects.toMatchObject({ code: "NOT_FOUND" })
      await expect(storage.read(twin)).rejects.toMatchObject({ code: "NOT_FOUND" })
      await storage.remove(twin)
      await storage.update(key, () => undefined)
      expect(await gather(storage.scan([]))).toEqual([{ key, value: { key } }])
      expect(Object.keys(await recordFilesOf(folder.path))).toHaveLength(1)
    }
  })

  test("a prefix that differs in nothing else has nothing below it", async (context) => {
    await using folder = await caseInsensitiveFolder()
    if (folder === undefined) skip(context, "there is no file system at hand that ignores letter case")
    await using storage = await JsonStorage.open({ path: folder.path })
    await storage.write(["a", "b", "c"], 1)
    for (const prefix of [["A"], ["a", "B"], ["A", "b"]]) {
      expect(await storage.list(prefix)).toEqual([])
      expect(await gather(storage.scan(prefix))).toEqual([])
    }
    expect(await storage.list(["a", "b"])).toEqual([["a", "b", "c"]])
  })
})

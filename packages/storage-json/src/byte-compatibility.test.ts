import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { compareKeys } from "@sessile/core/storage"
import { copyFixture, fixturePath, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { gather } from "./testing/gather.js"
import { recordFilesOf } from "./testing/tree.js"

describe.each(["v1.0.61", "v1.1.65", "v1.1.65-id-wrap"] as const)(
  "the store of opencode %s",
  { timeout: 30_000 },
  (version) => {
    const path = join(fixturePath(version), "storage")

    test("written record by record into a fresh store, it has the same files with the same bytes", async () => {
      await using folder = await temporaryFolder()
      await using source = await JsonStorage.open({ path, readonly: true })
      await using target = await JsonStorage.open({ path: folder.path })
      const entries = await gather(source.scan([]))
      await Promise.all(entries.map(({ key, value }) => target.write(key, value)))
      const expected = await recordFilesOf(path)
      expect(Object.keys(expected).length).toBeGreaterThan(20)
      expect(await recordFilesOf(folder.path)).toEqual(expected)
    })

    test("an update that changes nothing leaves every byte in place", async () => {
      await using copy = await copyFixture(version)
      const copied = join(copy.path, "storage")
      await using storage = await JsonStorage.open({ path: copied })
      const keys = await storage.list([])
      await Promise.all(keys.map((key) => storage.update(key, () => undefined)))
      expect(await recordFilesOf(copied)).toEqual(await recordFilesOf(path))
    })

    test("list and scan give exactly its records, in key order", async () => {
      const files = await recordFilesOf(path)
      const expected = Object.entries(files)
        .map(([name, text]) => ({
          key: name.replace(/\.json$/, "").split("/"),
          value: JSON.parse(Buffer.from(text, "latin1").toString("utf8")),
        }))
        .sort((a, b) => compareKeys(a.key, b.key))
      await using storage = await JsonStorage.open({ path, readonly: true })
      expect(await storage.list([])).toEqual(expected.map(({ key }) => key))
      expect(await gather(storage.scan([]))).toEqual(expected)
      expect(await gather(storage.scanMany([["session"], ["part"]]))).toEqual(
        expected.filter(({ key }) => key[0] === "session" || key[0] === "part"),
      )
    })
  },
)

test("a record is indented by two spaces and ends without a newline", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.write(["session", "global", "ses_1"], { z: 1, unknown: ["é", null], a: {} })
  const text = await readFile(join(folder.path, "session", "global", "ses_1.json"), "utf8")
  expect(text).toBe('{\n  "z": 1,\n  "unknown": [\n    "é",\n    null\n  ],\n  "a": {}\n}')
})

import { mkdirSync, writeFileSync } from "node:fs"
import { unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { runChild } from "./testing/child-process.js"

describe("a scan reads as it goes", () => {
  test("what changes far ahead of it comes as it then is", async () => {
    await using folder = await temporaryFolder()
    const names = fill(folder.path, "a", 160, "{}")
    fill(folder.path, "b", 1, "{}")
    await using storage = await JsonStorage.open({ path: folder.path })
    const seen: unknown[] = []
    for await (const { key, value } of storage.scan([])) {
      if (seen.length === 0) {
        await writeFile(join(folder.path, "a", `${names[140]}.json`), '"changed"')
        await unlink(join(folder.path, "a", `${names[150]}.json`))
        await storage.write(["b", "new"], "new")
      }
      seen.push(value === "changed" || value === "new" ? value : key.at(-1))
    }
    const expected: unknown[] = names.filter((_, index) => index !== 150)
    expected[140] = "changed"
    expect(seen).toEqual([...expected, "0000", "new"])
  })

  test("one that is left early never reaches what lies behind", async () => {
    await using folder = await temporaryFolder()
    fill(folder.path, "a", 1, "{}")
    fill(folder.path, "b", 1, "damaged")
    await using storage = await JsonStorage.open({ path: folder.path })
    for await (const { key } of storage.scan([])) {
      expect(key).toEqual(["a", "0000"])
      break
    }
    const limited: unknown[] = []
    for await (const { key } of storage.scan([], { limit: 1 })) limited.push(key)
    expect(limited).toEqual([["a", "0000"]])
  })

  test("48 MB of records pass through a heap of 24 MB", { timeout: 30_000 }, async () => {
    await using folder = await temporaryFolder()
    const text = JSON.stringify({ text: "x".repeat(100_000) })
    for (let number = 0; number < 8; number++) fill(folder.path, `folder${number}`, 60, text)
    const count = await runChild("scan-all.mjs", { path: folder.path }, ["--max-old-space-size=24"])
    expect(count).toBe("480")
  })
})

function fill(root: string, folder: string, count: number, text: string): string[] {
  mkdirSync(join(root, folder))
  return Array.from({ length: count }, (_, index) => {
    const name = String(index).padStart(4, "0")
    writeFileSync(join(root, folder, `${name}.json`), text)
    return name
  })
}

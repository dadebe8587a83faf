import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { runChild } from "./testing/child-process.js"

const SIZE = 128 * 1024 * 1024

test.each([
  { wanted: "utf8", copies: 1, what: "once as bytes" },
  { wanted: "text", copies: 2, what: "twice with its text" },
])("a record of 128 MB is in memory $what", { timeout: 60_000 }, async ({ wanted, copies }) => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, "large.json"), `"${"x".repeat(SIZE - 2)}"`)
  const { length, growth } = JSON.parse(await runChild("read-large.mjs", { path: folder.path, wanted }))
  expect(length).toBe(SIZE)
  expect(growth / SIZE).toBeLessThan(copies + 0.5)
})

import { execFileSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readRegularFile } from "./read-regular-file.js"

let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessile-regular-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it("reads a file of several chunks", async () => {
  const text = "ä".repeat(100_000)
  await writeFile(join(folder, "text"), text)
  expect(await readRegularFile(join(folder, "text"))).toBe(text)
})

it("refuses a file beyond the limit", async () => {
  await writeFile(join(folder, "large"), "x".repeat(101))
  expect(await readRegularFile(join(folder, "large"), 101)).toHaveLength(101)
  await expect(readRegularFile(join(folder, "large"), 100)).rejects.toMatchObject({ code: "TOO_LARGE" })
})

it("says what the system says of folders and of what is not there", async () => {
  await expect(readRegularFile(folder)).rejects.toMatchObject({ code: "EISDIR" })
  await expect(readRegularFile(join(folder, "gone"))).rejects.toMatchObject({ code: "ENOENT" })
})

it.skipIf(process.platform === "win32")("refuses pipes and devices without waiting for them", async () => {
  execFileSync("mkfifo", [join(folder, "pipe")])
  await expect(readRegularFile(join(folder, "pipe"))).rejects.toMatchObject({ code: "IRREGULAR" })
  await expect(readRegularFile("/dev/zero")).rejects.toMatchObject({ code: "IRREGULAR" })
})

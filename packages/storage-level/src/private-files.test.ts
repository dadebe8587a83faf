import { chmod, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { afterEach, expect, test } from "vitest"
import { LevelStorage } from "./level-storage.js"

const before = process.umask()

afterEach(() => {
  process.umask(before)
})

test("all files of a store are for their owner only, also in a folder that others can enter", async () => {
  process.umask(0o022)
  await using folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  await using storage = await LevelStorage.open({ path: folder.path })
  expect(await modesOf(folder.path)).toEqual(["600"])
  for (let number = 0; number < 60; number++) await storage.write(["a", String(number)], "x".repeat(200_000))
  await storage.flush()
  expect(await modesOf(folder.path)).toEqual(["600"])
  await storage.write(["b"], 1)
  await storage.close()
  expect(await modesOf(folder.path)).toEqual(["600"])
  await LevelStorage.repair(folder.path)
  expect(await modesOf(folder.path)).toEqual(["600"])
  expect((await stat(folder.path)).mode & 0o777).toBe(0o755)
})

test("files that LevelDB makes while the store is written to are restricted within a megabyte", async () => {
  process.umask(0o022)
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  for (let number = 0; number < 60; number++) await storage.write(["a", String(number)], "x".repeat(200_000))
  const [first] = (await readdir(folder.path)).filter((name) => name.endsWith(".ldb")).sort()
  expect((await stat(join(folder.path, first as string))).mode & 0o777).toBe(0o600)
})

/** The different permissions of the files in a folder. */
async function modesOf(path: string): Promise<string[]> {
  const entries = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile())
  const stats = await Promise.all(entries.map(({ name }) => stat(join(path, name))))
  return [...new Set(stats.map(({ mode }) => (mode & 0o777).toString(8)))]
}

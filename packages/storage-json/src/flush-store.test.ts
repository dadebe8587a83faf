import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { skip } from "./testing/skip.js"
import { stateOf } from "./testing/tree.js"

test("flushing changes nothing, in a store that is opened for reading too", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  for (let index = 0; index < 100; index++) await storage.write(["a", String(index)], index)
  await symlink("nowhere", join(folder.path, "link.json"))
  const before = await stateOf(folder.path)
  await storage.flush()
  await using reader = await JsonStorage.open({ path: folder.path, readonly: true })
  await reader.flush()
  expect(await stateOf(folder.path)).toEqual(before)
})

test("files and folders that vanish meanwhile do no harm", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  for (let index = 0; index < 300; index++) {
    await mkdir(join(folder.path, "a", String(index)), { recursive: true })
    await writeFile(join(folder.path, "a", String(index), "b.json"), "1")
  }
  const flushing = storage.flush()
  await rm(join(folder.path, "a"), { recursive: true })
  await flushing
  expect(await storage.list([])).toEqual([])
  await rm(folder.path, { recursive: true })
  await storage.flush()
})

test("what may not be read is passed over, as it is not ours", async (context) => {
  if (process.getuid?.() === 0) skip(context, "permissions do not apply to root")
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.write(["a", "b"], 1)
  await storage.write(["c"], 1)
  await chmod(join(folder.path, "a"), 0)
  await chmod(join(folder.path, "c.json"), 0)
  await storage.flush()
  await chmod(join(folder.path, "a"), 0o700)
  expect(await storage.read(["a", "b"])).toBe(1)
})

import { chmod, mkdir, readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { afterEach, expect, test, vi } from "vitest"
import { LevelStorage } from "./level-storage.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

async function treeOf(path: string) {
  const names = (await readdir(path)).sort()
  const files = names.map(async (name) => {
    const { mtimeNs, ctimeNs, mode, ino } = await stat(join(path, name), { bigint: true })
    return { name, mtimeNs, ctimeNs, mode, ino, content: (await readFile(join(path, name))).toString("hex") }
  })
  const { mtimeNs, ctimeNs } = await stat(path, { bigint: true })
  return { mtimeNs, ctimeNs, files: await Promise.all(files) }
}

async function storeWithRecord(path: string): Promise<void> {
  await using storage = await LevelStorage.open({ path })
  await storage.write(["session", "p", "ses_1"], { title: "kept", time: { updated: 1 } })
}

test("reading a store changes nothing about it and leaves no copy behind", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "store")
  await storeWithRecord(path)
  const before = await treeOf(path)
  const temporary = join(folder.path, "tmp")
  await mkdir(temporary)
  vi.stubEnv("TMPDIR", temporary)
  const storage = await LevelStorage.open({ path, readonly: true })
  expect(await storage.read(["session", "p", "ses_1"])).toMatchObject({ title: "kept" })
  expect(await readdir(temporary)).toHaveLength(1)
  await storage.close()
  expect(await treeOf(path)).toEqual(before)
  expect(await readdir(temporary)).toEqual([])
})

test("a store that somebody holds can be read", async () => {
  await using folder = await temporaryFolder()
  await using holder = await LevelStorage.open({ path: folder.path })
  await holder.write(["k"], 1)
  await using reader = await LevelStorage.open({ path: folder.path, readonly: true })
  expect(await reader.read(["k"])).toBe(1)
  expect(await changesOf(reader)).toEqual([])
  await holder.write(["k"], 2)
  expect(await reader.read(["k"])).toBe(1)
  expect(await changesOf(reader)).toEqual([{ key: "k", text: "2" }])
})

async function changesOf(storage: LevelStorage) {
  const changes: unknown[] = []
  for await (const page of storage.scanTexts({ changedSince: 0 })) changes.push(...page)
  return changes
}

test("a store in a folder that cannot be written to can be read", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "store")
  await storeWithRecord(path)
  for (const name of await readdir(path)) await chmod(join(path, name), 0o400)
  await chmod(path, 0o500)
  try {
    await using storage = await LevelStorage.open({ path, readonly: true })
    expect(await storage.list([])).toHaveLength(1)
  } finally {
    await chmod(path, 0o700)
  }
})

test("changes are refused", async () => {
  await using folder = await temporaryFolder()
  await storeWithRecord(folder.path)
  await using storage = await LevelStorage.open({ path: folder.path, readonly: true })
  await expect(storage.write(["k"], 1)).rejects.toMatchObject({ code: "READONLY" })
})

test("a missing store is not made", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "missing")
  await expect(LevelStorage.open({ path, readonly: true })).rejects.toMatchObject({ code: "NOT_FOUND", path })
  expect(await readdir(folder.path)).toEqual([])
})

test("a flush writes what is in memory to a table", async () => {
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  await storage.write(["k"], 1)
  expect((await readdir(folder.path)).filter((name) => name.endsWith(".ldb"))).toEqual([])
  await storage.flush()
  expect((await readdir(folder.path)).filter((name) => name.endsWith(".ldb"))).not.toEqual([])
})

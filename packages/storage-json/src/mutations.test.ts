import { execFileSync } from "node:child_process"
import { cp, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { fixturePath, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { LegacyStorage } from "./migration/legacy-storage.js"
import { migrate } from "./migration/migrate.js"

const SEED = 20261118

/** What may happen to a file. All but a flip inside a text must be noticed. */
const kinds: Record<string, (path: string, random: Random) => Promise<void>> = {
  "bit flip": async (path, random) => {
    const content = await readFile(path)
    const position = random(content.length)
    content[position] = (content[position] ?? 0) ^ (1 << random(8))
    await writeFile(path, content)
  },
  truncation: async (path, random) => truncate(path, random((await readFile(path)).length)),
  "zeroed range": async (path, random) => {
    const content = await readFile(path)
    const start = random(content.length)
    content.subarray(start, start + 1 + random(64)).fill(0)
    await writeFile(path, content)
  },
  "folder in its place": (path) => replaced(path, () => mkdir(path)),
  "pipe in its place": (path) => replaced(path, () => execFileSync("mkfifo", [path])),
  "link out in its place": (path) => replaced(path, () => symlink("/dev/zero", path)),
  "link to nowhere in its place": (path) => replaced(path, () => symlink("nowhere", path)),
}

describe.skipIf(process.platform === "win32")("after any change to any file", () => {
  test("a store is read with every other record, and the one is right, invalid or named", {
    timeout: 120_000,
  }, async () => {
    const original = join(fixturePath("v1.1.65-id-wrap"), "storage")
    await mutate(original, 140, async (path) => {
      await using storage = await JsonStorage.open({ path, readonly: true })
      const found = await contentsOf(storage)
      await expectTyped(storage.list([]))
      return found
    })
  })

  test("a history of 0.5 is read and migrated likewise", { timeout: 120_000 }, async () => {
    await mutate(fixturePath("v0.5.29"), 35, async (path) => {
      await using storage = await LegacyStorage.open({ path })
      const found = await contentsOf(storage)
      await expectMigration(path)
      return found
    })
  })

  test("a history of 0.1 is read and migrated likewise", { timeout: 120_000 }, async () => {
    await mutate(fixturePath("v0.1.174"), 70, async (path) => {
      await using storage = await LegacyStorage.open({ path })
      const found = await contentsOf(storage)
      await expectMigration(path)
      return found
    })
  })
})

type Random = (limit: number) => number

/** What reading a store gave: how many records with a text, how many invalid ones, and which paths were named. */
interface Contents {
  readonly valid: number
  readonly invalid: number
  readonly named: readonly string[]
}

/** Changes one file of a copy at a time, and expects that no record goes missing without a word. */
async function mutate(
  original: string,
  times: number,
  read: (path: string) => Promise<Contents>,
): Promise<void> {
  const random = generator(SEED)
  await using folder = await temporaryFolder()
  await cp(original, folder.path, { recursive: true })
  const files = (await readdir(folder.path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  const whole = await read(folder.path)
  expect(whole).toMatchObject({ valid: expect.any(Number), invalid: 0 })
  const names = Object.keys(kinds)
  for (let round = 0; round < times; round++) {
    const path = files[random(files.length)] as string
    const kind = names[round % names.length] as string
    const content = await readFile(path)
    await kinds[kind]?.(path, random)
    const found = await read(folder.path)
    // A message of 0.1 that cannot be parsed keeps its parts to itself: it is invalid, and they are not there.
    const isAccountedFor = found.invalid > 0 || found.valid >= whole.valid || found.named.includes(path)
    const context = { round, kind, path: relative(folder.path, path), whole: whole.valid, found }
    expect(isAccountedFor, JSON.stringify(context)).toBe(true)
    expect(found.valid + found.invalid, JSON.stringify(context)).toBeGreaterThan(0)
    await rm(path, { recursive: true })
    await writeFile(path, content)
  }
}

async function contentsOf(storage: JsonStorage | LegacyStorage): Promise<Contents> {
  let [valid, invalid] = [0, 0]
  const named: string[] = []
  for await (const page of storage.scanTexts({ onForeign: ({ path }) => named.push(path) })) {
    for (const entry of page) {
      if ("error" in entry) expect(StorageError.is(entry.error, "CORRUPT")).toBe(true)
      if ("text" in entry && isJson(entry.text)) valid++
      else invalid++
    }
  }
  return { valid, invalid, named }
}

/** A migration succeeds or rejects with a typed error. What it wrote is removed. */
async function expectMigration(data: string): Promise<void> {
  await expectTyped(migrate({ path: join(data, "migrated"), legacy: join(data, "project") }))
  await rm(join(data, "migrated"), { recursive: true, force: true })
}

async function expectTyped(outcome: Promise<unknown>): Promise<void> {
  const error = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error !== undefined && !StorageError.is(error)) throw error
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

async function replaced(path: string, make: () => unknown): Promise<void> {
  await rm(path)
  await make()
}

/** The same numbers each time (mulberry32). */
function generator(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % Math.max(limit, 1)
  }
}

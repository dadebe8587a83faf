import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { chmod, mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { afterEach, describe, expect, test, vi } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

afterEach(() => vi.unstubAllEnvs())

/** How `lock-tester.mjs` exits where somebody else holds the lock. */
const BUSY = 7

describe("reading a database untouched changes nothing in its folder", () => {
  test.each<[string, readonly string[], (path: string) => Promise<void>]>([
    ["that was closed", [""], writeHundred],
    ["of a process that was killed", ["", "-shm", "-wal"], (path) => killWriter(path, "with a log")],
    [
      "of a process that was killed within a transaction",
      ["", "-journal"],
      (path) => killWriter(path, "within a rollback journal"),
    ],
    [
      "whose log was left behind when it was copied",
      [""],
      async (path) => {
        await writeHundred(path)
        const database = new SqliteDatabase(path)
        database.pragma("journal_mode = WAL")
        database.close()
      },
    ],
  ])("%s", async (_, suffixes, make) => {
    await using sandbox = await newSandbox()
    const { path, folder } = sandbox
    await make(path)
    expect(readdirSync(folder)).toEqual(suffixes.map((suffix) => `history.db${suffix}`))
    for (const mode of [0o755, 0o555]) {
      await chmod(folder, mode)
      const before = stateOf(folder)
      const storage = await SqliteStorage.open({ path, untouched: true })
      expect(await countOf(storage)).toBe(100)
      expect(await storage.read(["k", "99"])).toEqual({ index: 99 })
      await expect(storage.write(["k"], 1)).rejects.toMatchObject({ code: "READONLY" })
      await storage.close()
      expect(stateOf(folder)).toEqual(before)
    }
    await chmod(folder, 0o755)
    expect(readdirSync(sandbox.temporary)).toEqual([])
  })
})

test("a scan for changes sees what others wrote since the copy was made", async () => {
  await using sandbox = await newSandbox()
  await killWriter(sandbox.path, "with a log")
  await using storage = await SqliteStorage.open({ path: sandbox.path, untouched: true })
  await using writer = await SqliteStorage.open({ path: sandbox.path })
  await writer.write(["k", "99"], "changed")
  expect(await storage.read(["k", "99"])).toEqual({ index: 99 })
  const texts: string[] = []
  for await (const page of storage.scanTexts({ changedSince: 0 })) {
    for (const entry of page) if ("text" in entry) texts.push(entry.text)
  }
  expect(texts).toHaveLength(100)
  expect(texts).toContain('"changed"')
})

test("a link to a database leads to its log too", async () => {
  await using sandbox = await newSandbox()
  await killWriter(sandbox.path, "with a log")
  const link = join(sandbox.temporary, "link.db")
  await symlink(sandbox.path, link)
  await using storage = await SqliteStorage.open({ path: link, untouched: true })
  expect(await countOf(storage)).toBe(100)
})

describe("a database that is in use shows what was committed", () => {
  test.each(["with pauses", "without a pause"])("%s", async (manner) => {
    await using sandbox = await newSandbox()
    const writer = await startWriter(sandbox.path, manner)
    try {
      await using storage = await SqliteStorage.open({ path: sandbox.path, untouched: true })
      expect(await storage.read(["k", "99"])).toEqual({ index: 99 })
      expect(await countOf(storage)).toBeGreaterThanOrEqual(100)
    } finally {
      await kill(writer)
    }
    expect(readdirSync(sandbox.temporary)).toEqual([])
  })

  test("by the same process, whose locks stay", async () => {
    await using sandbox = await newSandbox()
    const { path } = sandbox
    await using writer = await SqliteStorage.open({ path })
    await using reader = await SqliteStorage.open({ path, untouched: true })
    await writer.write(["a"], 1)
    expect(await reader.read(["a"])).toBe(1)
    await killWriter(path, "with a log")
    const other = spawn(process.execPath, [script("hammer.mjs"), path, "other", "0"])
    await once(other, "exit")
    // The last to leave takes the log along, and it must not have thought that it was.
    expect(existsSync(`${path}-wal`)).toBe(true)
  })
})

test.each([{ untouched: true }, { readonly: true }])(
  "the locks of a connection that was handed over stay when its file is opened with %o",
  async (options) => {
    await using sandbox = await newSandbox()
    const { path } = sandbox
    const database = new SqliteDatabase(path)
    await using owner = await SqliteStorage.open({ database })
    await owner.write(["a"], 1)
    database.exec("BEGIN IMMEDIATE")
    await using reader = await SqliteStorage.open({ path, ...options })
    expect(await reader.read(["a"])).toBe(1)
    const other = spawn(process.execPath, [script("lock-tester.mjs"), path])
    const [code] = await once(other, "exit")
    expect(code, "another process got the lock of this one").toBe(BUSY)
    database.exec("COMMIT")
    database.close()
  },
)

describe.skipIf(process.platform === "win32")("nothing is left of the copy", () => {
  test("while it is open", async () => {
    await using sandbox = await newSandbox()
    await killWriter(sandbox.path, "with a log")
    await using storage = await SqliteStorage.open({ path: sandbox.path, untouched: true })
    expect(readdirSync(sandbox.temporary)).toEqual([])
    expect(await countOf(storage)).toBe(100)
  })

  test.each([
    ["is killed", "SIGKILL"],
    ["exits while copying", null],
  ])("when the process %s", async (manner, expected) => {
    await using sandbox = await newSandbox()
    await killWriter(sandbox.path, "with a log")
    const reader = spawn(process.execPath, [script("reader.mjs"), sandbox.path, manner], { stdio: "inherit" })
    const [, signal] = await once(reader, "exit")
    expect(signal).toBe(expected)
    expect(readdirSync(sandbox.temporary)).toEqual([])
  })
})

/** A folder for the database, and one that copies go to. */
async function newSandbox() {
  const root = await temporaryFolder()
  const [folder, temporary] = [join(root.path, "source"), join(root.path, "temporary")]
  await mkdir(folder)
  await mkdir(temporary)
  vi.stubEnv("TMPDIR", temporary)
  return {
    folder,
    temporary,
    path: join(folder, "history.db"),
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  }
}

async function writeHundred(path: string): Promise<void> {
  await using storage = await SqliteStorage.open({ path })
  for (let index = 0; index < 100; index++) await storage.write(["k", String(index)], { index })
}

async function killWriter(path: string, manner: string): Promise<void> {
  await kill(await startWriter(path, manner))
}

async function startWriter(path: string, manner: string): Promise<ChildProcess> {
  const writer = spawn(process.execPath, [script("writer.mjs"), path, manner], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [written] = await once(writer.stdout, "data")
  expect(String(written)).toBe("written\n")
  return writer
}

async function kill(writer: ChildProcess): Promise<void> {
  writer.kill("SIGKILL")
  await once(writer, "exit")
}

function script(name: string): string {
  return fileURLToPath(new URL(`testing/${name}`, import.meta.url))
}

async function countOf(storage: SqliteStorage): Promise<number> {
  let count = 0
  for await (const page of storage.scanTexts()) count += page.length
  return count
}

function stateOf(folder: string): unknown[] {
  return [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => {
    const { mtimeNs, ctimeNs, mode, size, ino } = statSync(path, { bigint: true })
    const bytes = path === folder ? "" : readFileSync(path, "latin1")
    return { path, mtimeNs, ctimeNs, mode, size, ino, bytes }
  })
}

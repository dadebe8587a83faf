import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { statSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { copyDatabase, openSql, temporaryFolder } from "@sessile/fixtures"
import { afterEach, describe, expect, test } from "vitest"
import { detectOpencodeDatabase } from "./detect-opencode-database.js"
import { OpencodeStorage } from "./opencode-storage.js"
import { session, wholeSession } from "./testing/records.js"

/** How `lock-tester.mjs` exits where somebody else holds the lock. */
const BUSY = 7

describe.each(["delete", "wal"])("a connection with journal mode %s keeps its locks", (mode) => {
  test.each<[string, (path: string) => Promise<AsyncDisposable | undefined>]>([
    ["is opened for writing", (path) => OpencodeStorage.open({ path })],
    ["would be created", (path) => OpencodeStorage.open({ path, create: true })],
    ["is opened for reading", (path) => OpencodeStorage.open({ path, readonly: true })],
    ["is previewed", (path) => OpencodeStorage.open({ path, readonly: true, create: true })],
    [
      "is detected",
      async (path) => {
        expect(await detectOpencodeDatabase(path)).toMatchObject({ kind: "opencode-1" })
        return undefined
      },
    ],
  ])("when its database %s in the same process", async (_, open) => {
    await using copy = await copyDatabase("native-1.18.34")
    using owner = openSql(copy.database)
    owner.database.pragma(`journal_mode = ${mode}`)
    owner.database.exec("BEGIN IMMEDIATE; UPDATE session SET title = 'mine'")
    const opened = await open(copy.database)
    const script = fileURLToPath(new URL("testing/lock-tester.mjs", import.meta.url))
    const [code] = await once(spawn(process.execPath, [script, copy.database]), "exit")
    expect(code, "another process got the lock of this one").toBe(BUSY)
    owner.database.exec("COMMIT")
    await opened?.[Symbol.asyncDispose]()
  })
})

describe.skipIf(process.platform === "win32")("what is no file is refused, and never opened", () => {
  test.each<[string, string, (path: string) => Promise<AsyncDisposable | undefined>]>([
    ["a folder", "", makeFolder],
    ["a pipe", "", makePipe],
    ["a socket", "", makeSocket],
    ["a pipe as its log", "-wal", makePipe],
    ["a pipe as its journal", "-journal", makePipe],
  ])("%s", async (_, suffix, make) => {
    await using copy = await copyDatabase("native-1.18.34")
    const path = suffix === "" ? join(copy.path, "opencode-x.db") : copy.database
    await using _made = await make(path + suffix)
    for (const options of [{}, { create: true }, { readonly: true }, { readonly: true, create: true }]) {
      await expect(OpencodeStorage.open({ path, ...options })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        path: path + suffix,
        message: expect.stringContaining("choose another path"),
      })
    }
    expect(await detectOpencodeDatabase(path)).toEqual({ kind: "other" })
  })

  test("a device", async () => {
    for (const options of [{ create: true }, { readonly: true }]) {
      await expect(OpencodeStorage.open({ path: "/dev/zero", ...options })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
      })
    }
    expect(await detectOpencodeDatabase("/dev/zero")).toEqual({ kind: "other" })
  })
})

describe.skipIf(process.platform === "win32")(
  "all that is new is for its owner only, whatever the umask",
  () => {
    const umask = process.umask()
    afterEach(() => {
      process.umask(umask)
    })

    test("a database, its log, its folders, the files beside it and its backups", async () => {
      await using folder = await temporaryFolder()
      const path = join(folder.path, "new", "folder", "opencode.db")
      process.umask(0)
      await using storage = await OpencodeStorage.open({ path, create: true })
      await storage.addTexts(wholeSession)
      await storage.write(["session_diff", "ses_1"], [])
      const backup = await storage.backup()
      const modes = (paths: readonly string[]) =>
        paths.map((name) => (statSync(name).mode & 0o777).toString(8))
      expect(modes([path, `${path}-wal`, `${path}-shm`, backup])).toEqual(Array(4).fill("600"))
      const beside = join(folder.path, "new", "folder", "storage")
      const folders = [join(folder.path, "new"), join(folder.path, "new", "folder"), beside]
      expect(modes([...folders, join(beside, "session_diff")])).toEqual(Array(4).fill("700"))
      expect(modes([join(beside, "session_diff", "ses_1.json")])).toEqual(["600"])
      expect(await storage.readTexts([session.key])).toEqual([session])
    })
  },
)

async function makeFolder(path: string): Promise<undefined> {
  await mkdir(path)
}

async function makePipe(path: string): Promise<undefined> {
  await promisify(execFile)("mkfifo", [path])
}

async function makeSocket(path: string): Promise<AsyncDisposable> {
  const server = createServer().listen(path)
  await once(server, "listening")
  return {
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, "close")
    },
  }
}

import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { decodeKey, StorageError } from "@sessile/core/storage"
import { copyDatabase, withSql } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { LockWait } from "./lock-wait.js"
import { OpencodeStorage } from "./opencode-storage.js"
import { session, wholeSession } from "./testing/records.js"

test("a store says that it waits for another program, and goes on when that is done", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  withSql(copy.database, (database) => database.pragma("journal_mode = WAL"))
  await using holder = await holdLock(copy.database)
  const waits: number[] = []
  const onLockWait = (waited: number) => {
    waits.push(waited)
    if (waits.length === 2) holder.release()
  }
  await using storage = await OpencodeStorage.open({ path: copy.database, onLockWait })
  // All of them wait, and happen in their order.
  await Promise.all([
    storage.addTexts(wholeSession),
    storage.update<{ title: string }>(sessionKey, (draft) => {
      draft.title += "!"
    }),
    storage.update<{ title: string }>(sessionKey, (draft) => {
      draft.title += "?"
    }),
  ])
  expect(waits.length).toBeGreaterThanOrEqual(2)
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(await storage.read(sessionKey)).toMatchObject({ title: "A session!?" })
})

test("nothing waits for a program that only reads", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  const onLockWait = () => expect.unreachable()
  await using storage = await OpencodeStorage.open({ path: copy.database, onLockWait })
  await using reader = await OpencodeStorage.open({ path: copy.database, readonly: true })
  await storage.addTexts([session])
  expect(await reader.readTexts([session.key])).toEqual([session])
})

test("whoever waits too long learns what holds the database", async () => {
  const wait = new LockWait({ path: "/data/opencode.db", limit: 1 })
  const locked = wait.run(() => {
    throw new StorageError("LOCKED", "")
  })
  await expect(locked).rejects.toMatchObject({
    code: "LOCKED",
    path: "/data/opencode.db",
    message: expect.stringContaining("opencode or another program has been writing"),
  })
  expect(await wait.run(() => 1)).toBe(1)
})

const sessionKey = decodeKey(session.key)

async function holdLock(path: string) {
  const script = fileURLToPath(new URL("testing/lock-holder.mjs", import.meta.url))
  const holder = spawn(process.execPath, [script, path], { stdio: ["pipe", "pipe", "inherit"] })
  const ended = once(holder, "exit")
  await once(holder.stdout, "data")
  const release = () => {
    if (holder.stdin.writable) holder.stdin.end("release\n")
  }
  return {
    release,
    [Symbol.asyncDispose]: async () => {
      release()
      await ended
    },
  }
}

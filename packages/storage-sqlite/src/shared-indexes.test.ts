import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { type IndexDefinition, type Key, standardIndexes } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

const byTitle: IndexDefinition = {
  name: "by-title",
  prefix: ["session"],
  keyLength: 3,
  terms: [{ value: ["title"] }],
}
const notesByAuthor: IndexDefinition = {
  name: "notes-by-author",
  prefix: ["note"],
  keyLength: 2,
  terms: [{ value: ["author"] }],
}

const sessions = (from: number, to: number): [Key, unknown][] =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index
    return [["session", "p", `s${number}`], { title: `t${9 - number}`, time: { updated: number } }]
  })

test("processes with other indexes leave each other's alone, and keep them up to date", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  await using first = await start(path, standardIndexes)
  await first.do("write", ...sessions(0, 5))
  await using second = await start(path, [byTitle])
  expect(await first.do("find", "sessions-by-updated")).toEqual(["s0", "s1", "s2", "s3", "s4"])
  expect(await second.do("find", "by-title")).toEqual(["s4", "s3", "s2", "s1", "s0"])

  await second.do("write", ...sessions(5, 8))
  expect(await first.do("find", "sessions-by-updated")).toHaveLength(8)
  // The first one opened the store before that index was there.
  await first.do("write", ...sessions(8, 10))
  await first.do("remove", ["session", "p", "s0"])
  const remaining = Array.from({ length: 9 }, (_, index) => `s${index + 1}`)
  expect(await second.do("find", "by-title")).toEqual(remaining.toReversed())
  expect(await first.do("find", "sessions-by-updated")).toEqual(remaining)
})

test("a process notices an index over records that none of its own indexes has", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  await using first = await start(path, [])
  await first.do("write", [["note", "n1"], { author: "b" }])
  await using second = await start(path, [notesByAuthor])
  await first.do("write", [["note", "n2"], { author: "a" }], [["other", "o1"], {}])
  expect(await second.do("find", "notes-by-author")).toEqual(["n2", "n1"])
  await first.do("remove", ["note", "n1"])
  expect(await second.do("find", "notes-by-author")).toEqual(["n2"])
})

test("two indexes of the same name and other contents do not mix", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  const otherByTitle = { ...byTitle, terms: [{ value: ["time", "updated"] }] }
  await using first = await SqliteStorage.open({ path, indexes: [byTitle] })
  await using second = await SqliteStorage.open({ path, indexes: [otherByTitle] })
  for (const [key, value] of sessions(0, 3)) await first.write(key, value)
  expect(await idsOf(first)).toEqual(["s2", "s1", "s0"])
  expect(await idsOf(second)).toEqual(["s0", "s1", "s2"])
})

test("opening a store without indexes adds none and keeps those that it has", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  await using first = await SqliteStorage.open({ path, indexes: [byTitle] })
  await using second = await SqliteStorage.open({ path, indexes: [] })
  for (const [key, value] of sessions(0, 3)) await second.write(key, value)
  expect(await idsOf(first)).toEqual(["s2", "s1", "s0"])
})

async function idsOf(storage: SqliteStorage): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = []
  for await (const { key } of storage.find("by-title")) ids.push(key[2])
  return ids
}

/** Opens a store in another process. */
async function start(path: string, indexes: readonly IndexDefinition[]) {
  const script = fileURLToPath(new URL("testing/indexer.mjs", import.meta.url))
  const child = spawn(process.execPath, [script, path, JSON.stringify(indexes)], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    do: async (...command: unknown[]) => {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      return JSON.parse(String((await lines.next()).value))
    },
    [Symbol.asyncDispose]: async () => {
      const exit = once(child, "exit")
      child.stdin.end()
      await exit
    },
  }
}

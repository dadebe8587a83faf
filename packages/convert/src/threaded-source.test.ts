import { mkdir, readdir, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { compareUtf8, MemoryStorage } from "@sessile/core/storage"
import { copyFixture } from "@sessile/fixtures"
import { JsonStorage } from "@sessile/storage-json"
import { describe, expect, test } from "vitest"
// A thread cannot load TypeScript, so it runs the build.
import {
  convert,
  type ReadingPlan,
  type ReadRecord,
  type RecordSource,
  type SoundRecord,
  storageSource,
  ThreadedSource,
} from "../dist/index.js"
import { isSound } from "../dist/read-record.js"
import { textsOf } from "./testing/stores.js"

const module = new URL("./testing/open-json.mjs", import.meta.url).href

const kinds = ["session", "message", "part", "todo"]

describe("threads", () => {
  test("give what one reader gives, in key order, damaged records included", async () => {
    await using data = await copyFixture("v1.1.65")
    const path = join(data.path, "storage")
    await writeFile(join(path, "project", "half.json"), "{")
    await writeFile(join(path, "project", "latin.json"), Buffer.from([0x22, 0xe9, 0x22]))
    const expected = await gather(storageSource(await JsonStorage.open({ path, readonly: true })), {
      take: "all",
    })
    for (const threads of [1, 2, 3]) {
      await using source = await ThreadedSource.open({ module, argument: path, threads })
      const records = await gather(source, { take: "all" })
      expect(records).toEqual(expected)
      expect(records.map(({ key }) => key).sort(compareUtf8)).toEqual(records.map(({ key }) => key))
      expect(await source.count()).toBe(expected.length)
    }
  })

  test.each([1, 2, 3])("%d give all projects, all sessions and all else, once each", async (threads) => {
    await using data = await copyFixture("v1.1.65")
    const path = join(data.path, "storage")
    const [session = ""] = await readdir(join(path, "message"))
    for (const file of [
      "message/ses_lost/msg_lost.json",
      "part/msg_lost/prt_lost.json",
      "part/msg_gone/prt_gone.json",
      `message/${session}/deeper/below.json`,
      "todo/ses_lost.json",
      "other/of/any/kind.json",
    ]) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), "{}")
    }
    await writeFile(join(path, "message", session, "notes.txt"), "no record")
    await using storage = await JsonStorage.open({ path, readonly: true })
    const expected = await gather(storageSource(storage), { take: "all" })
    await using source = await ThreadedSource.open({ module, argument: path, threads })
    const foreign = new Set<string>()
    const keys: string[] = []
    for (const plan of [{ take: "projects" }, { take: "sessions", whole: kinds }] as const) {
      for await (const page of source.read(plan, { onForeign: (file) => foreign.add(file.path) })) {
        keys.push(...page.records.map(({ key }) => key), ...(page.lines?.keys() ?? []))
      }
    }
    expect(keys.sort(compareUtf8)).toEqual(expected.map(({ key }) => key))
    expect([...foreign]).toEqual([join(path, "message", session, "notes.txt")])
  })

  test("give whole sessions as one reader does, with their lines", async () => {
    await using data = await copyFixture("v1.1.65")
    const path = join(data.path, "storage")
    const plan = { take: "sessions", whole: kinds } as const
    await using storage = await JsonStorage.open({ path, readonly: true })
    const expected = await gather(storageSource(storage), plan)
    await using source = await ThreadedSource.open({ module, argument: path, threads: 1 })
    expect(await gather(source, plan)).toEqual(expected)
    const withLines = expected.filter((record) => "line" in record)
    const ofConversations = expected.filter(({ key }) => /^(message|part)\0/.test(key))
    expect(withLines.length).toBe(ofConversations.length)
    expect(withLines.length).toBeGreaterThan(0)
    const everything = await gather(storageSource(storage), { take: "all" })
    const plain = expected.map(({ line, ...record }) => record)
    expect(plain.sort((a, b) => compareUtf8(a.key, b.key))).toEqual(
      everything.filter(({ key }) => !key.startsWith("project")),
    )
  })

  test("can be left in the middle and read again", async () => {
    await using data = await copyFixture("v1.1.65")
    await using source = await ThreadedSource.open({
      module,
      argument: join(data.path, "storage"),
      threads: 2,
    })
    for await (const page of source.read({ take: "all" })) {
      expect(page.records.length).toBeGreaterThan(0)
      break
    }
    const target = new MemoryStorage()
    await using conversion = await convert({ source, target })
    expect(conversion.totals.setAside).toBe(0)
    expect(conversion.totals.written).toBe(Object.keys(await textsOf(target)).length)
  })

  test.each(["threads", "no threads"])(
    "what is asked for while something is read comes after it, with %s",
    async (kind) => {
      await using data = await copyFixture("v1.1.65")
      const path = join(data.path, "storage")
      await using storage = await JsonStorage.open({ path, readonly: true })
      await using threads = await ThreadedSource.open({ module, argument: path, threads: 2 })
      const source = kind === "threads" ? threads : storageSource(storage)
      const expected = await gather(source, { take: "all" })
      let isFirstDone = false
      const first = gather(source, { take: "all" }).then((records) => {
        isFirstDone = true
        return records
      })
      const pages = source.read({ take: "changed", since: 0 })[Symbol.asyncIterator]()
      expect((await pages.next()).done).toBe(false)
      expect(isFirstDone).toBe(true)
      expect(await first).toEqual(expected)
      await pages.return?.()
      expect(await gather(source, { take: "all" })).toEqual(expected)
    },
  )

  test("what waits to be read can be called off, and ends when the threads do", async () => {
    await using data = await copyFixture("v1.1.65")
    const source = await ThreadedSource.open({ module, argument: join(data.path, "storage"), threads: 1 })
    const first = source.read({ take: "all" })[Symbol.asyncIterator]()
    await first.next()
    const called = new AbortController()
    const second = gather(source, { take: "changed", since: 0 }, called.signal)
    called.abort()
    const third = source.read({ take: "changed", since: 0 })[Symbol.asyncIterator]().next()
    await first.return?.()
    expect(await second).toEqual([])
    await Promise.all([expect(third).rejects.toThrow("has ended"), source.close()])
  })

  test("tell of every file that is no record", async () => {
    await using data = await copyFixture("v1.1.65")
    const path = join(data.path, "storage")
    const [session] = await readdir(join(path, "message"))
    const foreign = [".DS_Store", "part/notes.txt", `message/${session}/half.json.tmp`]
    for (const name of foreign) await writeFile(join(path, name), "")
    await using source = await ThreadedSource.open({ module, argument: path, threads: 2 })
    await using conversion = await convert({ source, target: new MemoryStorage() })
    expect(conversion.foreign.map((file) => relative(path, file.path))).toEqual(foreign.sort())
  })

  test("say why the store cannot be read, and end", async () => {
    const failing = new URL("testing/open-failing.mjs", import.meta.url).href
    await using source = await ThreadedSource.open({ module: failing, argument: undefined, threads: 2 })
    await expect(gather(source, { take: "all" })).rejects.toMatchObject({ code: "IO" })
  })

  test("say why the store cannot be opened", async () => {
    const opening = ThreadedSource.open({ module, argument: "/nowhere/at/all", threads: 2 })
    await expect(opening).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

interface Content extends Pick<ReadRecord, "key"> {
  readonly line?: string
}

async function gather(source: RecordSource, plan: ReadingPlan, signal?: AbortSignal): Promise<Content[]> {
  const records: Content[] = []
  for await (const { records: page, lines } of source.read(plan, { signal })) {
    for (const record of page) records.push(isSound(record) ? contentOf(record) : record)
    lines?.records().forEach((record, position) => {
      const line = String(lines.utf8(position))
      records.push({ ...contentOf(record), line })
    })
  }
  return records
}

// Taken out before the next page: the bytes behind it go back to their thread.
function contentOf({ key, text, bytes, sha256, facts }: SoundRecord) {
  return { key, text, bytes, sha256, facts }
}

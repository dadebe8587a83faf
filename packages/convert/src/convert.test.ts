import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { MemoryStorage } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ConflictError } from "./conflict.js"
import { convert, SetAsideError } from "./convert.js"
import type { LedgerEntry } from "./ledger.js"
import type { Progress } from "./progress.js"
import { SetAsideFolder } from "./set-aside.js"
import { conversation, json, keyOf, storeOf, textsOf } from "./testing/stores.js"
import { valueStorage } from "./testing/value-storage.js"

const size = Object.keys(conversation).length

describe("a conversion", () => {
  test("brings every record over exactly as it is, and accounts for each", async () => {
    const odd = { ...conversation, "odd/1": '{"a":1.0,"a":12345678901234567890}', "odd/2": '\uFEFF{"a":1}' }
    const source = await storeOf(odd)
    const target = new MemoryStorage()
    await using conversion = await convert({ source, target })
    expect(await textsOf(target)).toEqual(odd)
    expect(conversion.totals).toEqual({ found: size + 2, written: size + 2, present: 0, setAside: 0 })
    expect(conversion.verification).toEqual({ compared: size + 2, missing: [], different: [], changed: [] })
    expect(entriesOf(conversion)).toHaveLength(size + 2)
    expect(await textsOf(source)).toEqual(odd)
  })

  test("writes nothing the second time", async () => {
    const source = await storeOf(conversation)
    const target = new MemoryStorage()
    await (await convert({ source, target }))[Symbol.asyncDispose]()
    await using again = await convert({ source, target })
    expect(again.totals).toEqual({ found: size, written: 0, present: size, setAside: 0 })
  })

  test("keeps what the target held before", async () => {
    const target = await storeOf({ "session/other/ses_9": "{}" })
    await using _ = await convert({ source: await storeOf(conversation), target })
    expect(await textsOf(target)).toEqual({ ...conversation, "session/other/ses_9": "{}" })
  })

  test("of any texts balances, and a second one finds all of them there", async () => {
    const path = fc.stringMatching(/^[a-c]{1,2}(\/[a-c]{1,2}){0,2}$/)
    const text = fc.oneof(
      fc.json().map((candidate) => json(JSON.parse(candidate))),
      fc.json(),
      fc.constantFrom("", "{", "\0\0"),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, text), async (texts) => {
        const source = await storeOf(texts)
        const target = new MemoryStorage()
        await using first = await convert({ source, target })
        const { found, written, present, setAside } = first.totals
        expect(found).toBe(Object.keys(texts).length)
        expect(written + present + setAside).toBe(found)
        await using second = await convert({ source, target })
        expect(second.totals).toEqual({ found, written: 0, present: written, setAside })
      }),
      { numRuns: 100 },
    )
  })

  test("that is a dry run tells the same and writes nothing", async () => {
    const target = await storeOf({ "project/p": conversation["project/p"] })
    await using conversion = await convert({ source: await storeOf(conversation), target, dryRun: true })
    expect(conversion.totals).toEqual({ found: size, written: size - 1, present: 1, setAside: 0 })
    expect(Object.keys(await textsOf(target))).toEqual(["project/p"])
  })

  test("tells of its progress, with a total when it is to count first", async () => {
    const seen: Progress[] = []
    const source = await storeOf(conversation)
    const onProgress = (progress: Progress) => seen.push(progress)
    await using _ = await convert({ source, target: new MemoryStorage(), count: true, onProgress })
    expect(seen.filter(({ phase }) => phase === "converting").at(-1)).toMatchObject({
      records: size,
      total: size,
    })
    expect(seen.at(-1)).toMatchObject({ phase: "verifying", records: size, total: size })
  })

  test("that is told to stop says that it is not finished, and the next one goes on", async () => {
    const source = await storeOf(conversation)
    const target = new MemoryStorage()
    await using stopped = await convert({ source, target, signal: AbortSignal.abort() })
    expect(stopped.finished).toBe(false)
    await using finished = await convert({ source, target })
    expect(finished.finished).toBe(true)
    expect(await textsOf(target)).toEqual(conversation)
  })

  test("refuses a misspelt option", async () => {
    const options = { source: new MemoryStorage(), target: new MemoryStorage(), strikt: true }
    await expect(convert(options)).rejects.toThrow('did you mean "strict"')
  })
})

describe("a damaged record", () => {
  const damaged = { ...conversation, "message/ses_1/msg_half": '{"id": "msg_', "part/msg_1/prt_empty": "" }

  test("is set aside with its reason and its bytes, and harms no other", async () => {
    await using folder = await temporaryFolder()
    const target = new MemoryStorage()
    const setAside = new SetAsideFolder(join(folder.path, "aside"))
    await using conversion = await convert({ source: await storeOf(damaged), target, setAside })
    expect(await textsOf(target)).toEqual(conversation)
    expect(conversion.totals).toMatchObject({ found: size + 2, written: size, setAside: 2 })
    const aside = entriesOf(conversion).filter(({ outcome }) => outcome === "setAside")
    expect(aside.map(({ reason }) => reason)).toEqual([
      "The record is not valid JSON (12 characters)",
      "The record is empty",
    ])
    const kept = aside.map((entry) => readFile(entry.kept as string, "utf8"))
    expect(await Promise.all(kept)).toEqual(['{"id": "msg_', ""])
  })

  test("makes a strict conversion refuse before anything is written", async () => {
    const target = new MemoryStorage()
    const refused = convert({ source: await storeOf(damaged), target, strict: true })
    const error: SetAsideError = await refused.then(fail, (reason) => reason)
    expect(error).toBeInstanceOf(SetAsideError)
    expect(error.records.map(({ key }) => key.join("/"))).toEqual([
      "message/ses_1/msg_half",
      "part/msg_1/prt_empty",
    ])
    expect(await textsOf(target)).toEqual({})
  })
})

describe("the same key with other content", () => {
  const session = (title: string, updated: number) =>
    json({ id: "ses_1", projectID: "p", title, time: { created: 1, updated } })
  const ours = { "project/p": conversation["project/p"], "session/p/ses_1": session("ours", 5) }
  const theirs = (updated: number) => ({ "session/p/ses_1": session("theirs", updated) })

  test("stops a conversion before anything is written, naming it", async () => {
    const target = await storeOf(theirs(4))
    const error: ConflictError = await convert({ source: await storeOf(ours), target }).then(fail, (e) => e)
    expect(error).toBeInstanceOf(ConflictError)
    expect(error.keys).toEqual([["session", "p", "ses_1"]])
    expect(await textsOf(target)).toEqual(theirs(4))
  })

  test.each([
    ["skip", 4, "theirs"],
    ["newer", 4, "ours"],
    ["newer", 5, "ours"],
    ["newer", 6, "theirs"],
    ["replace", 6, "ours"],
  ] as const)(
    "is dealt with by %s when the target's was updated at %i",
    async (onConflict, updated, winner) => {
      await using folder = await temporaryFolder()
      const setAside = new SetAsideFolder(folder.path)
      const target = await storeOf(theirs(updated))
      await using conversion = await convert({ source: await storeOf(ours), target, onConflict, setAside })
      expect(JSON.parse((await textsOf(target))["session/p/ses_1"] as string).title).toBe(winner)
      const entry = entriesOf(conversion).find(({ conflict }) => conflict !== undefined) as LedgerEntry
      expect(entry).toMatchObject(
        winner === "ours"
          ? { outcome: "written", conflict: "replaced" }
          : { outcome: "setAside", conflict: "skipped" },
      )
      const loser = JSON.parse(await readFile(entry.kept as string, "utf8"))
      expect(loser.title).toBe(winner === "ours" ? "theirs" : "ours")
    },
  )
})

describe("a selection", () => {
  const converted = async (select: object) => {
    const target = new MemoryStorage()
    await using conversion = await convert({ source: await storeOf(conversation), target, select })
    expect(conversion.totals.found).toBe(conversion.totals.written)
    return Object.keys(await textsOf(target))
  }

  test("of a session takes what belongs to it, its children and its project", async () => {
    expect(await converted({ sessions: ["ses_2"] })).toEqual([
      "message/ses_2/msg_2",
      "part/msg_2/prt_2",
      "project/p",
      "session/p/ses_2",
      "todo/ses_2",
    ])
    expect(await converted({ sessions: ["ses_1"] })).toEqual(
      Object.keys(conversation).filter((key) => key !== "migration"),
    )
  })

  test("by time takes what was updated then or later", async () => {
    expect(await converted({ since: 2100 })).toContain("session/p/ses_2")
    expect(await converted({ since: 2100 })).not.toContain("session/p/ses_1")
  })

  test("by project takes its sessions only", async () => {
    expect(await converted({ projects: ["q"] })).toEqual([])
    expect(await converted({ projects: ["p"] })).toContain("session/p/ses_1")
  })
})

describe("a store that knows values only", () => {
  test("gives and takes what opencode would write", async () => {
    const target = valueStorage()
    await using there = await convert({ source: await storeOf(conversation), target })
    expect(there.verification).toMatchObject({ compared: size, missing: [], different: [] })
    const back = new MemoryStorage()
    await using _ = await convert({ source: target, target: back })
    expect(await textsOf(back)).toEqual(conversation)
  })

  test("has set aside what it would alter", async () => {
    const source = await storeOf({
      "a/exact": '{"a":1}',
      "a/loses": '{"a":1.0}',
      "a/repeats": '{"a":1,"a":2}',
    })
    await using conversion = await convert({ source, target: valueStorage() })
    expect(conversion.totals).toEqual({ found: 3, written: 1, present: 0, setAside: 2 })
    expect(conversion.verification?.changed).toEqual([])
  })
})

test("a part that tells its id twice is odd where it is taken apart", async () => {
  const part = conversation["part/msg_1/prt_1"].replace("\n}", ',\n  "id": "twice"\n}')
  const target = new (class extends MemoryStorage {
    readonly sessionKinds = ["session", "message", "part"]
  })()
  const source = await storeOf({ ...conversation, "part/msg_1/prt_1": part })
  await using conversion = await convert({ source, target })
  expect([...conversion.ledger.remarkable()].flat()).toMatchObject([
    { key: keyOf("part/msg_1/prt_1"), remarks: ["The id inside does not match the file name"] },
  ])
})

function entriesOf(conversion: { ledger: { entries(): Iterable<LedgerEntry[]> } }): LedgerEntry[] {
  return [...conversion.ledger.entries()].flat()
}

function fail(): never {
  throw new Error("It was not refused")
}

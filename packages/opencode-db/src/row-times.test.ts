import { join } from "node:path"
import { encodeKey, type TextEntry, type TextRecord } from "@sessile/core/storage"
import { copyDatabase, type DatabaseCopy, fixturePath, temporaryFolder, withSql } from "@sessile/fixtures"
import { JsonStorage, LegacyStorage } from "@sessile/storage-json"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { gatherPages } from "./testing/gather.js"
import {
  answer,
  message,
  messageID,
  messageTime,
  part,
  partID,
  project,
  projectID,
  record,
  session,
  sessionID,
  wholeSession,
} from "./testing/records.js"

const key = ["row_times", sessionID]
const todo = record(
  ["todo", sessionID],
  ["a", "b"].map((content) => ({ content, status: "pending", priority: "low" })),
)
const share = record(["session_share", sessionID], { id: "i", secret: "s", url: "u" })
const everything = [...wholeSession, todo, share]
const updated = messageTime + 10
const times = {
  message: { [messageID]: [messageTime, 7] },
  part: { [partID]: [8, 9] },
  session_share: { [sessionID]: [12, 13] },
  todo: { 1: [10, 11] },
}
const noTotals = {
  cost: 0,
  tokens_input: 0,
  tokens_output: 0,
  tokens_reasoning: 0,
  tokens_cache_read: 0,
  tokens_cache_write: 0,
}
const given = { key: encodeKey(key), text: JSON.stringify(times) }

describe("the times of rows are a record", () => {
  test("that names those of the session which its other records do not tell", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts(everything)
    expect(await storage.list([])).not.toContainEqual(key)
    withSql(copy.database, (database) => {
      database.exec(`UPDATE message SET time_updated = 7; UPDATE part SET time_created = 8, time_updated = 9`)
      database.exec("UPDATE todo SET time_created = 10, time_updated = 11 WHERE position = 1")
      database.exec("UPDATE session_share SET time_created = 12, time_updated = 13")
    })
    expect(await storage.read(key)).toEqual(times)
    expect(await storage.list(["row_times"])).toEqual([key])
    expect(await storage.readTexts([encodeKey(key)])).toEqual([given])
  })

  test.each(["v0.5.29", "v1.0.61", "v1.1.65", "v1.1.65-id-wrap"] as const)(
    "that is not there for what came from the JSON files of %s",
    async (name) => {
      await using folder = await temporaryFolder()
      const path = join(folder.path, "opencode.db")
      await using storage = await OpencodeStorage.open({ path, create: true })
      const outcomes = await storage.addTexts(await recordsOf(name))
      expect(outcomes.filter((outcome) => outcome !== undefined && "error" in outcome)).toEqual([])
      expect(await storage.list(["row_times"])).toEqual([])
      expect(await storage.readTexts([encodeKey(["row_times", "ses_x"])])).toEqual([undefined])
    },
  )

  test("that is not there for any record that tells its times or does not", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom(0, -1, 1.5, 2 ** 60, 1e300, messageTime),
    )
    const body = fc.record({ role: fc.constantFrom("user", "assistant", 1), time: time(value) })
    let count = 0
    await fc.assert(
      fc.asyncProperty(time(value), body, body, async (session, message, part) => {
        const id = `ses_${count++}`
        await storage.addTexts([
          record(["session", projectID, id], { time: session }),
          record(["message", id, `msg_${id}`], message),
          record(["message", id, generated("msg", count)], part),
          record(["part", `msg_${id}`, generated("prt", count)], part),
          record(["todo", id], [{}]),
        ])
        expect(await storage.list(["row_times"])).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test("that has the totals of the session where they are not the sums of its messages", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts([
      project,
      session,
      answer(messageID, { cost: 0.3, time: { created: messageTime } }),
    ])
    expect(await storage.list(["row_times"])).toEqual([])
    withSql(copy.database, (database) => database.exec("UPDATE session SET cost = 0.1 + 0.2"))
    expect(await storage.read(key)).toEqual({ totals: { ...noTotals, cost: 0.1 + 0.2 } })
  })

  test("that leaves out what is no time", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts(everything)
    withSql(copy.database, (database) =>
      database.exec(
        "UPDATE part SET time_updated = 'never'; UPDATE message SET data = '{ no', time_updated = 7",
      ),
    )
    expect(await storage.read(key)).toEqual({ message: { [messageID]: [messageTime, 7] } })
  })

  test("that is listed in order, in both directions, across the borders of pages", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const ids = Array.from({ length: 1_201 }, (_, index) => `ses_${String(index).padStart(5, "0")}`)
    await storage.addTexts(
      ids.flatMap((id) => [record(["session", projectID, id], {}), record(["message", id, `msg_${id}`], {})]),
    )
    withSql(copy.database, (database) => database.exec("UPDATE message SET time_updated = 5"))
    const expected = ids.map((id) => ["row_times", id])
    expect(await storage.list(["row_times"])).toEqual(expected)
    expect(await storage.list(["row_times"], { reverse: true })).toEqual(expected.toReversed())
    const range = { gt: ["row_times", "ses_00100"], lt: ["row_times", "ses_00700"] }
    expect(await storage.list([], range)).toEqual(expected.slice(101, 700))
  })

  test("that cannot be read where the tables have no times, and does no harm there", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    withSql(copy.database, (database) =>
      database.exec("DROP TABLE todo; CREATE TABLE todo (session_id, position, content, status, priority)"),
    )
    await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    expect(await storage.list(["row_times"])).toHaveLength(7)
  })
})

describe("the times of rows that come with a session", () => {
  test("are those of its rows, and are given back", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    expect(await storage.addTexts([...everything, given])).toEqual(Array(7).fill(undefined))
    expect(await storage.read(key)).toEqual(times)
    expect(timesIn(copy)).toEqual({
      message: [[messageTime, 7]],
      part: [[8, 9]],
      session_share: [[12, 13]],
      todo: [
        [updated, updated],
        [10, 11],
      ],
    })
  })

  test("may come with its totals, and with nothing else of the session", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const totals = { ...noTotals, cost: 42 }
    await storage.addTexts([session, record(key, { totals: { ...totals, title: 1 } })])
    await storage.addTexts([answer(messageID, { cost: 0.3, time: { created: messageTime } })])
    expect(await storage.read(key)).toEqual({ totals })
    expect(await storage.readTexts([session.key])).toEqual([session])
  })

  test("hold for rows that come in later calls, whatever comes in between", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts([project, session, given])
    for (const rows of [[message], [part], [todo], [share]]) {
      const others = Array.from({ length: 3 }, (_, index) => {
        const id = `ses_${rows[0]?.key}${index}`
        return [record(["session", projectID, id], {}), record(["row_times", id], {})]
      })
      for (const other of others) await storage.addTexts(other)
      await storage.addTexts(rows)
    }
    expect(await storage.read(key)).toEqual(times)
  })

  test("leave rows that are there as they are, and hold for those that are missing", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts([project, session, message, todo])
    const outcomes = await storage.addTexts([...everything, given])
    expect(outcomes).toEqual([
      project,
      session,
      message,
      undefined,
      todo,
      undefined,
      { ...given, text: "{}" },
    ])
    const { part, session_share } = times
    expect(await storage.read(key)).toEqual({ part, session_share })
    expect(await storage.addTexts([given])).toEqual([{ ...given, text: "{}" }])
  })

  test("hold for rows that are replaced", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts(everything)
    await storage.addTexts([given])
    const other = answer(messageID, { time: { created: messageTime }, cost: 1 })
    await storage.writeTexts([other])
    expect(timesIn(copy).message).toEqual([[messageTime, 7]])
  })

  test("are no difference, whichever rows were there", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    expect(storage.fit(given)).toEqual({ text: given.text, lost: [] })
    expect(storage.settle(given)).toBe("")
  })

  test("cannot be given to rows that are there, and go with them", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts([...everything, given])
    await expect(storage.write(key, {})).rejects.toMatchObject({ code: "UNSUPPORTED", key })
    await expect(storage.update(key, () => undefined)).rejects.toMatchObject({ code: "UNSUPPORTED", key })
    const rows = [todo, share, part, message, session].map((row) => row.key.split("\0"))
    await storage.batch([key, ...rows].map((each) => ({ type: "remove", key: each })))
    expect(await storage.list([])).toEqual([["project", projectID]])
  })

  test.each<[string, unknown]>([
    ["a list", []],
    ["no object of tables", { part: 1 }],
    ["a time that is no number", { part: { [partID]: [1, "2"] } }],
    ["one time alone", { part: { [partID]: [1] } }],
    ["a null", { part: { [partID]: null } }],
    ["a total that is no number", { totals: { cost: "1" } }],
  ])("are refused when they are none (%s), and the session is added without them", async (_, value) => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const bad = record(key, value)
    expect(storage.fit(bad)).toEqual({ refused: "It does not tell the times of rows" })
    const outcomes = await storage.addTexts([...wholeSession, bad])
    expect(outcomes.slice(0, -1)).toEqual(wholeSession.map(() => undefined))
    expect(outcomes.at(-1)).toMatchObject({ error: { code: "INVALID_VALUE" } })
    expect(await storage.list(["row_times"])).toEqual([])
  })

  test("pass over rows and tables that there are not", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const odd = record(key, { part: { constructor: [1, 2], prt_gone: [3, 4] }, palette: { a: [5, 6] } })
    expect(await storage.addTexts([...wholeSession, odd])).toEqual(Array(5).fill(undefined))
    expect(await storage.list(["row_times"])).toEqual([])
  })

  test("of no session have no place", async () => {
    await using copy = await target()
    await using storage = await OpencodeStorage.open({ path: copy.database })
    expect(await storage.addTexts([given])).toMatchObject([{ error: { code: "INVALID_VALUE", key } }])
  })
})

async function target(): Promise<DatabaseCopy> {
  const copy = await copyDatabase("empty-1.18.34")
  withSql(copy.database, (database) => database.exec("DELETE FROM project"))
  return copy
}

function timesIn({ database }: DatabaseCopy): Record<string, unknown[]> {
  return withSql(database, (opened) =>
    Object.fromEntries(
      Object.keys(times).map((table) => [
        table,
        opened.prepare(`SELECT time_created, time_updated FROM ${table}`).raw().all(),
      ]),
    ),
  )
}

function time(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fields = fc.record({ created: value, updated: value, completed: value }, { requiredKeys: [] })
  return fc.oneof(fields, value)
}

/** An id that tells a time, as opencode would make it. */
function generated(prefix: string, count: number): string {
  return `${prefix}_1e184bea9${String(count).padStart(3, "0")}LXRoIgeOZSe7Q1`
}

async function recordsOf(name: Parameters<typeof fixturePath>[0]): Promise<TextRecord[]> {
  const folder = fixturePath(name)
  await using source =
    name === "v0.5.29"
      ? await LegacyStorage.open({ path: folder })
      : await JsonStorage.open({ path: join(folder, "storage"), readonly: true })
  return (await gatherPages<TextEntry>(source.scanTexts())).filter((entry) => "text" in entry)
}

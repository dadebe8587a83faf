// What opencode's own import of JSON files got wrong, case by case.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { encodeKey, type TextRecord } from "@sessile/core/storage"
import { copyDatabase, type DatabaseCopy, withSql } from "@sessile/fixtures"
import { beforeEach, describe, expect, test } from "vitest"
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

let copy: DatabaseCopy
let storage: OpencodeStorage

beforeEach(async () => {
  copy = await copyDatabase("empty-1.18.34")
  withSql(copy.database, (database) => database.exec("DELETE FROM project"))
  storage = await OpencodeStorage.open({ path: copy.database })
  return async () => {
    await storage.close()
    await copy[Symbol.asyncDispose]()
  }
})

describe("one bad record does not lose the others", () => {
  const others = [
    answer("msg_1e184bea9003LXRoIgeOZSe7Q1", { time: { created: messageTime } }),
    answer("msg_1e184bea9004LXRoIgeOZSe7Q1", { time: { created: messageTime } }),
  ]

  test.each<[string, TextRecord, string]>([
    [
      "a message that is no object",
      record(["message", sessionID, "msg_bad"], ["no message"]),
      "INVALID_VALUE",
    ],
    [
      "a message that is no JSON",
      { key: encodeKey(["message", sessionID, "msg_bad"]), text: "{" },
      "INVALID_VALUE",
    ],
    ["a key with too many segments", record(["message", sessionID, "msg_bad", "x"], {}), "INVALID_VALUE"],
    ["a message of another session's id", record(["message", "ses_other", messageID], {}), "INVALID_KEY"],
    [
      "a part that tells neither",
      record(["part", "msg_unknown", "prt_bad"], { type: "text" }),
      "INVALID_VALUE",
    ],
  ])("%s", async (_, bad, code) => {
    const group = [...wholeSession, bad, ...others]
    const outcomes = await storage.addTexts(group)
    expect(outcomes[4]).toMatchObject({ key: bad.key, error: { code } })
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1)
    expect(await storage.list(["message", sessionID])).toHaveLength(3)
    expect(await storage.check()).toEqual([])
  })

  test("a row that was damaged later is reported as such, and the rest is read", async () => {
    await storage.addTexts([...wholeSession, ...others])
    withSql(copy.database, (database) => {
      database.prepare("UPDATE message SET data = '{ sec' WHERE id = ?").run(messageID)
    })
    const found = await gatherPages(storage.scanTexts({ prefixes: [["message"]] }))
    expect(found).toEqual([
      { key: message.key, error: expect.objectContaining({ code: "CORRUPT" }) },
      ...others,
    ])
    expect(String(found.map((entry) => ("error" in entry ? entry.error.message : "")))).not.toContain("sec")
  })
})

describe("missing times never become the time of the import", () => {
  test("a message without one has that of its id, nearest its session's", async () => {
    await storage.addTexts([project, session, answer(messageID, {}), part])
    expect(timesOf("message", messageID)).toEqual([messageTime, messageTime])
    expect(timesOf("part", partID)).toEqual([messageTime, messageTime])
  })

  test("a message and a part whose ids tell no time have those of their owners", async () => {
    const oldPart = record(["part", "msg_old", "prt_old"], { sessionID, type: "text", text: "" })
    await storage.addTexts([project, session, answer("msg_old", {}), oldPart])
    expect(timesOf("message", "msg_old")).toEqual([messageTime - 10, messageTime - 10])
    expect(timesOf("part", "prt_old")).toEqual([messageTime - 10, messageTime - 10])
  })

  test("a message keeps its own, and was last changed when it was completed", async () => {
    await storage.addTexts(wholeSession)
    expect(timesOf("message", messageID)).toEqual([messageTime, messageTime + 5])
  })

  test("a session without any has that of its id; one whose id tells none has 0, and so has its project", async () => {
    await storage.addTexts([record(["session", projectID, sessionID], { title: "Timeless" })])
    expect(timesOf("session", sessionID)).toEqual([1794784936501, 1794784936501])
    await storage.addTexts([record(["session", "other", "ses_old"], { title: "Timeless" })])
    expect(timesOf("session", "ses_old")).toEqual([0, 0])
    expect(timesOf("project", "other")).toEqual([0, 0])
  })

  test("to-dos and shares have the time of their session", async () => {
    const todo = record(["todo", sessionID], [{ content: "a", status: "pending", priority: "low" }])
    const share = record(["session_share", sessionID], { id: "i", secret: "s", url: "u" })
    await storage.addTexts([project, session, todo, share])
    const times = withSql(copy.database, (database) =>
      database
        .prepare("SELECT time_created FROM todo UNION ALL SELECT time_created FROM session_share")
        .pluck()
        .all(),
    )
    expect(times).toEqual([messageTime + 10, messageTime + 10])
  })
})

describe("sessions have the totals of their messages", () => {
  const usage = (cost: unknown, input: unknown) => ({
    cost,
    tokens: { input, output: 2, reasoning: 3, cache: { read: 4, write: 5 } },
  })

  test("summed without rounding errors, over answers alone", async () => {
    const question = record(["message", sessionID, "msg_q"], { role: "user", ...usage(5, 5) })
    await storage.addTexts([
      project,
      session,
      answer("msg_a", usage(0.1, 10)),
      answer("msg_b", usage(0.2, 20)),
      question,
    ])
    expect(totalsOf(sessionID)).toEqual([0.3, 30, 4, 6, 8, 10])
  })

  test("where what is no number, and what is negative, counts as 0", async () => {
    const infinite = answer("msg_c", {})
    await storage.addTexts([
      project,
      session,
      answer("msg_a", usage(-1, -50)),
      answer("msg_b", usage("1", null)),
      { ...infinite, text: infinite.text.replace("{", '{"cost": 1e999,') },
      answer("msg_d", usage(0.5, 7)),
    ])
    expect(totalsOf(sessionID)).toEqual([0.5, 7, 6, 9, 12, 15])
  })

  test("also where the messages come in several calls, whoever made the first ones", async () => {
    await storage.addTexts([project, session, answer("msg_a", usage(0.1, 10))])
    await storage.addTexts([answer("msg_b", usage(0.2, 20)), answer("msg_c", usage(0.3, 30))])
    expect(totalsOf(sessionID)).toEqual([0.6, 60, 6, 9, 12, 15])
    await using next = await OpencodeStorage.open({ path: copy.database })
    await next.addTexts([session, answer("msg_a", usage(0.1, 10)), answer("msg_d", usage(0.1, 1))])
    expect(totalsOf(sessionID)).toEqual([0.7, 61, 8, 12, 16, 20])
  })

  test("but totals that are not those of the messages stay as opencode has them", async () => {
    await storage.addTexts([project, session])
    withSql(copy.database, (database) => database.exec("UPDATE session SET cost = 42"))
    await storage.addTexts([project, session, answer("msg_a", usage(0.1, 10))])
    expect(totalsOf(sessionID)[0]).toBe(42)
  })
})

describe("records whose owners are missing", () => {
  test("a session without a project gets one, of its directory", async () => {
    await storage.addTexts([session])
    expect(await storage.read(["project", projectID])).toEqual({
      id: projectID,
      worktree: "/home/dev/code/acme",
      vcs: "git",
      sandboxes: [],
      time: { created: messageTime - 10, updated: messageTime + 10 },
    })
  })

  test("a session of no project belongs to the global one", async () => {
    await storage.addTexts([
      record(["session", "global", sessionID], { title: "Anywhere", directory: "/tmp" }),
    ])
    expect(await storage.read(["project", "global"])).toMatchObject({ worktree: "/" })
  })

  test("messages without a session get one, in the project that they were written in", async () => {
    await storage.addTexts([project])
    const path = { cwd: "/home/dev/code/acme/src", root: "/home/dev/code/acme" }
    await storage.addTexts([
      answer("msg_b", { time: { created: 200 }, path }),
      answer("msg_a", { time: { created: 100 } }),
    ])
    expect(await storage.read(["session", projectID, sessionID])).toEqual({
      id: sessionID,
      projectID,
      directory: "/home/dev/code/acme/src",
      title: "Recovered session",
      time: { created: 100, updated: 200 },
    })
  })

  test("messages that do not tell where get a session in the global project", async () => {
    await storage.addTexts([answer("msg_a", {})])
    expect(await storage.list(["session"])).toEqual([["session", "global", sessionID]])
  })

  test("parts of an unreadable message get a message that opencode can show", async () => {
    await storage.addTexts([project, session, part])
    expect(await storage.read(["message", sessionID, messageID])).toMatchObject({
      role: "assistant",
      time: { created: messageTime, completed: messageTime },
      path: { cwd: "/home/dev/code/acme" },
      tokens: { input: 0 },
    })
    expect(await storage.readTexts([part.key])).toEqual([part])
  })
})

describe("a part that does not name the session of its message", () => {
  test.each([
    ["another one", "ses_stale"],
    ["none", undefined],
    ["no string", 5],
  ])("%s", async (_, said) => {
    const odd = record(["part", messageID, partID], { id: partID, sessionID: said, messageID, type: "text" })
    await storage.addTexts([project, session, message, odd])
    expect(await storage.readTexts([odd.key])).toEqual([odd])
    expect(
      withSql(copy.database, (database) => database.prepare("SELECT session_id FROM part").pluck().all()),
    ).toEqual([sessionID])
  })
})

describe("running again", () => {
  test("adds nothing, changes no byte, and tells what is there", async () => {
    const records = [
      ...wholeSession,
      record(["todo", sessionID], []),
      record(["session_diff", sessionID], []),
    ]
    await storage.addTexts(records)
    const before = dump()
    expect(await storage.addTexts(records)).toEqual(records)
    expect(dump()).toEqual(before)
  })

  test("what is there stays, whatever comes", async () => {
    await storage.addTexts(wholeSession)
    const others = wholeSession.map(({ key }) => ({ key, text: '{"title":"Other","text":"Other"}' }))
    expect(await storage.addTexts(others)).toEqual(wholeSession)
    expect(await storage.readTexts(wholeSession.map(({ key }) => key))).toEqual(wholeSession)
  })

  test("after a death in the middle of it finishes the work", { timeout: 60_000 }, async () => {
    const [sessions, messages] = [40, 200]
    const script = join(import.meta.dirname, "testing/add-sessions.mjs")
    const run = () => spawn(process.execPath, [script, copy.database, String(sessions), String(messages)])

    const killed = run()
    let told = ""
    for await (const chunk of killed.stdout) {
      told += chunk
      if (told.split("\n").length > 3) killed.kill("SIGKILL")
    }
    const after = counts()
    expect(after.session).toBeGreaterThanOrEqual(told.trim().split("\n").length)
    expect(after.session).toBeLessThan(sessions)
    // Each session is there with all that belongs to it, or not at all.
    expect(after).toMatchObject({ message: after.session * messages, part: after.session * messages })

    const [exitCode] = await once(run(), "exit")
    expect(exitCode).toBe(0)
    expect(counts()).toEqual({ session: sessions, message: sessions * messages, part: sessions * messages })
    expect(totalsOf("ses_0")[0]).toBe(messages)
    expect(await storage.check()).toEqual([])
  })
})

describe("nothing is lost in silence", () => {
  test("the ids of to-dos and unknown fields are named", () => {
    const todo = record(["todo", sessionID], [{ id: "1", content: "a", status: "pending", priority: "low" }])
    expect(storage.fit(todo)).toMatchObject({ lost: ["0.id"] })
    const extended = record(["session", projectID, sessionID], {
      title: "T",
      color: "red",
      time: { seen: 1 },
    })
    expect(storage.fit(extended)).toMatchObject({ lost: ["color", "time.seen"] })
  })

  test("what a release has no column for is named for that release", async () => {
    await using old = await copyDatabase("migrated-by-1.2.27")
    await using storage27 = await OpencodeStorage.open({ path: old.database })
    const modern = record(["session", projectID, "ses_new"], { title: "T", agent: "build", path: "src" })
    expect(storage27.fit(modern)).toMatchObject({ lost: ["agent", "path"] })
    expect(storage.fit(modern)).toMatchObject({ lost: [] })
  })

  test.each([
    ["session_diff", sessionID],
    ["permission", projectID],
    ["share", sessionID],
    ["invention", "of", "somebody"],
  ])("records of kind %s are files beside the database", async (...key) => {
    const file = record(key, [{ any: "thing" }])
    expect(await storage.addTexts([file])).toEqual([undefined])
    expect(await readFile(join(copy.path, "storage", `${join(...key)}.json`), "utf8")).toBe(file.text)
    expect(await storage.readTexts([file.key])).toEqual([file])
    expect(await storage.list([])).toEqual([key])
    expect(await storage.addTexts([{ ...file, text: "0" }])).toEqual([file])
  })

  test("a list of no to-dos is what a session without to-dos has", async () => {
    const none = record(["todo", sessionID], [])
    expect(await storage.addTexts([project, session, none])).toEqual([undefined, undefined, none])
    expect(storage.fit(none)).toEqual({ text: none.text, lost: [] })
    expect(await storage.readTexts([none.key])).toEqual([none])
    expect(await storage.list(["todo"])).toEqual([])
    const some = record(["todo", sessionID], [{ content: "a", status: "pending", priority: "low" }])
    expect(await storage.addTexts([some])).toEqual([undefined])
    expect(await storage.addTexts([none])).toEqual([some])
  })

  test("reading makes no folder", async () => {
    await storage.addTexts(wholeSession)
    await storage.list([])
    expect(existsSync(join(copy.path, "storage"))).toBe(false)
  })
})

function timesOf(table: string, id: string): unknown {
  return withSql(copy.database, (database) =>
    database.prepare(`SELECT time_created, time_updated FROM ${table} WHERE id = ?`).raw().get(id),
  )
}

function totalsOf(id: string): unknown[] {
  const columns = "cost, tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write"
  return withSql(copy.database, (database) =>
    database.prepare(`SELECT ${columns} FROM session WHERE id = ?`).raw().get(id),
  ) as unknown[]
}

function counts(): { session: number; message: number; part: number } {
  return withSql(copy.database, (database) => {
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number
    return { session: count("session"), message: count("message"), part: count("part") }
  })
}

function dump(): unknown[] {
  return withSql(copy.database, (database) =>
    ["project", "session", "message", "part", "todo"].map((table) =>
      database.prepare(`SELECT * FROM ${table}`).all(),
    ),
  )
}

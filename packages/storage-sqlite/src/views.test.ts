import { join } from "node:path"
import { fixturePath, temporaryFolder } from "@sessile/fixtures"
import { JsonStorage } from "@sessile/storage-json"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { afterAll, beforeAll, expect, test } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: Database
let source: JsonStorage

interface Answer {
  readonly cost: number
  readonly tokens: { readonly output: number }
}

beforeAll(async () => {
  folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  source = await JsonStorage.open({ path: join(fixturePath("v1.1.65"), "storage"), readonly: true })
  const storage = await SqliteStorage.open({ path })
  for await (const { key, value } of source.scan([])) await storage.write(key, value)
  await storage.write(["message", "ses_1", "msg_1", "deeper"], { role: "nobody" })
  await storage.close()
  database = new SqliteDatabase(path)
  database.exec("INSERT INTO records VALUES (CAST('todo' AS BLOB) || x'00' || 'ses_damaged', 0, '{')")
})
afterAll(async () => {
  database.close()
  await folder[Symbol.asyncDispose]()
})

test("sessions show title, times, and the cost and tokens of their messages", async () => {
  const sessionID = "ses_e1e7b3e26ffeqCv6i4R5DWPSD2"
  const answers = (await valuesBelow<Answer>(["message", sessionID])).filter(({ cost }) => cost !== undefined)
  expect(answers).toHaveLength(2)
  const rows = database
    .prepare("SELECT title, cost, output_tokens, updated FROM sessions WHERE id = ?")
    .all(sessionID)
  expect(rows).toEqual([
    {
      title: "Plan mode",
      cost: expect.closeTo(
        answers.reduce((sum, { cost }) => sum + cost, 0),
        9,
      ),
      output_tokens: answers.reduce((sum, { tokens }) => sum + tokens.output, 0),
      updated: "2026-11-15 23:22:16",
    },
  ])
})

test("every record of its kind is in its view, once, with the ids of its key", async () => {
  const count = (view: string) => database.prepare(`SELECT count(*) FROM ${view}`).pluck().get()
  for (const [view, kind] of Object.entries({
    projects: "project",
    sessions: "session",
    messages: "message",
    parts: "part",
  })) {
    expect(count(view), view).toBe((await source.list([kind])).length)
  }
  const orphans = database.prepare(
    "SELECT count(*) FROM parts WHERE message_id NOT IN (SELECT id FROM messages)",
  )
  expect(orphans.pluck().get()).toBe(0)
})

test("messages show who spoke, with which model, at what cost", () => {
  const columns = "role, model, provider, agent, finish"
  const rows = database
    .prepare(`SELECT DISTINCT ${columns} FROM messages WHERE cost > 0 AND agent = 'plan'`)
    .all()
  expect(rows).toEqual([
    { role: "assistant", model: "mock-large", provider: "mock", agent: "plan", finish: "stop" },
  ])
})

test("parts show text and tools", () => {
  expect(
    database.prepare("SELECT count(*) FROM parts WHERE text LIKE '%answer%'").pluck().get(),
  ).toBeGreaterThan(0)
  const tools = database
    .prepare("SELECT DISTINCT tool FROM parts WHERE status = 'completed' ORDER BY tool")
    .pluck()
    .all()
  expect(tools).toContain("bash")
})

test("todos come one by one, in order, and damaged lists do not spoil them", () => {
  const rows = database.prepare("SELECT position, content, status FROM todos ORDER BY position").all()
  expect(rows).toEqual([
    { position: 0, content: "first thing", status: "in_progress" },
    { position: 1, content: "second thing ✓ 日本語", status: "pending" },
  ])
})

async function valuesBelow<T>(prefix: string[]): Promise<T[]> {
  const values: T[] = []
  for await (const { value } of source.scan<T>(prefix)) values.push(value)
  return values
}

import { createHash } from "node:crypto"
import type { SessionLines, TextRecord } from "@sessile/core/storage"
import { copyDatabase } from "@sessile/fixtures"
import Database from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { add, linesOf } from "./testing/lines.js"
import {
  answer,
  messageID,
  messageTime,
  part,
  partID,
  project,
  record,
  session,
  sessionID,
} from "./testing/records.js"

// All that opencode wants, so that nothing is filled in.
const complete = {
  time: { created: messageTime },
  parentID: "",
  modelID: "m",
  providerID: "p",
  mode: "build",
  agent: "build",
  path: {},
  cost: 0.1,
  tokens: {},
}
const message = answer(messageID, complete)
const other = answer("msg_1e184bea9003LXRoIgeOZSe7Q1", { ...complete, note: 'é " →' })
const otherPart = record(["part", messageID, "prt_1e184bea9004oJ1hGoC6gnr9JI"], {
  id: "prt_1e184bea9004oJ1hGoC6gnr9JI",
  sessionID,
  messageID,
  type: "text",
  text: "\u0000\u{1F600} {}\n",
})
const records = [other, message, otherPart, part]

async function opened() {
  const copy = await copyDatabase("empty-1.18.34")
  const storage = await OpencodeStorage.open({ path: copy.database })
  await storage.addTexts([project])
  return { storage, copy }
}

async function receiptFor(storage: OpencodeStorage, ...texts: readonly TextRecord[]): Promise<string> {
  const lines = linesOf(texts) as SessionLines
  return (await storage.addSession([session], lines, storage.fitLines(lines))).receipt
}

function digestOf(texts: readonly string[]): string {
  const lines = texts.map((text) => `${JSON.stringify(JSON.parse(text))}\n`)
  return createHash("sha256").update(lines.join("")).digest("hex")
}

test("the digest of lines is that of the records in one line each, in the order in which they were added", async () => {
  const { storage, copy } = await opened()
  await using _ = copy
  await using __ = storage
  const { sha256, bytes } = await storage.digestLines(await receiptFor(storage, ...records))
  expect(sha256).toBe(digestOf(records.map(({ text }) => text)))
  expect(bytes).toBe(
    records.reduce((sum, { text }) => sum + Buffer.byteLength(JSON.stringify(JSON.parse(text))) + 1, 0),
  )
})

test("what is there, and what is added with more or fewer fields, has no part in it", async () => {
  const { storage, copy } = await opened()
  await using _ = copy
  await using __ = storage
  const lacking = answer("msg_1e184bea9000LXRoIgeOZSe7Q1", { time: { created: messageTime } })
  await storage.addTexts([session, message, otherPart])
  const receipt = await receiptFor(storage, lacking, other, message, otherPart, part)
  expect((await storage.digestLines(receipt)).sha256).toBe(digestOf([other.text, part.text]))
  const again = await receiptFor(storage, ...records)
  expect((await storage.digestLines(again)).sha256).toBe(digestOf([]))
})

test.each([
  ["a body is another", "UPDATE part SET data = replace(data, 'Done', 'done')"],
  ["a body is no JSON", "UPDATE part SET data = ''"],
  ["a body is null in all but name", "UPDATE message SET data = 'null'"],
  ["a row is gone", `DELETE FROM part WHERE id = '${partID}'`],
  ["all rows are gone", "DELETE FROM message"],
  ["a part is in another session", "UPDATE part SET session_id = 'ses_x'"],
])("it is another one where %s", async (_, change) => {
  const { storage, copy } = await opened()
  await using __ = copy
  await using ___ = storage
  const receipt = await receiptFor(storage, ...records)
  const { sha256 } = await storage.digestLines(receipt)
  const database = new Database(copy.database)
  database.pragma("foreign_keys = OFF")
  database.exec(change)
  database.close()
  expect((await storage.digestLines(receipt)).sha256).not.toBe(sha256)
})

describe("records come to the same rows as lines and as texts", () => {
  const id = (kind: "msg" | "prt", number: number) => `${kind}_1e184bea9${number}00LXRoIgeOZSe7Q1`
  const answerLacking = answer(id("msg", 1), { time: { created: messageTime + 9 } })
  const question = record(["message", sessionID, id("msg", 2)], {
    id: id("msg", 2),
    sessionID,
    role: "user",
    path: { root: "/w" },
  })
  const partOf = (messageID: string, number: number, fields: object) =>
    record(["part", messageID, id("prt", number)], {
      id: id("prt", number),
      sessionID,
      messageID,
      type: "text",
      ...fields,
    })
  const parts = [
    part,
    otherPart,
    partOf(messageID, 1, { type: "tool" }),
    partOf(messageID, 2, { type: "step-finish" }),
    partOf(id("msg", 1), 3, { type: "reasoning", text: "" }),
    partOf(id("msg", 2), 4, { type: "step-finish", reason: "stop", cost: 0, tokens: {} }),
    partOf(id("msg", 3), 5, { text: "of no message" }),
  ]
  const rowTimes = { message: { [messageID]: [1, 2] }, part: { [partID]: [3, 4] } }
  const unlike = { key: answerLacking.key, text: JSON.stringify(JSON.parse(answerLacking.text)) }

  test.each([
    ["nothing is lacking", [project, session, message, other, part, otherPart]],
    ["fields are lacking", [project, session, message, other, answerLacking, question, ...parts]],
    ["one has no line", [project, session, message, unlike, question, ...parts]],
    ["there is no session", [message, question, ...parts]],
    ["there is no message", [project, session, ...parts]],
    ["there is nothing but a part", [part]],
    [
      "the session tells its times",
      [project, session, message, part, record(["row_times", sessionID], rowTimes)],
    ],
  ])("where %s", async (_, records) => {
    const [asLines, asTexts] = await Promise.all([
      rowsAfter(add),
      rowsAfter((to, ...all) => to.addTexts(all)),
    ])
    expect(asLines).toEqual(asTexts)

    async function rowsAfter(adding: typeof add) {
      await using copy = await copyDatabase("empty-1.18.34")
      await using storage = await OpencodeStorage.open({ path: copy.database })
      for (const each of records) storage.fit(each)
      const outcomes = await adding(storage, ...records)
      const again = await adding(storage, ...records)
      const database = new Database(copy.database, { readonly: true })
      const rows = ["session", "message", "part"].map((table) =>
        database.prepare(`SELECT * FROM ${table} ORDER BY id`).all(),
      )
      database.close()
      return { outcomes, again, rows }
    }
  })
})

import { createHash } from "node:crypto"
import { encodeKey } from "@sessile/core/storage"
import { copyDatabase } from "@sessile/fixtures"
import Database from "better-sqlite3"
import { expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
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
const keys = records.map(({ key }) => key)

async function opened() {
  const copy = await copyDatabase("empty-1.18.34")
  const storage = await OpencodeStorage.open({ path: copy.database })
  await storage.addTexts([project, session, ...records])
  return { storage, copy }
}

function digestOf(texts: readonly string[]): string {
  const lines = texts.map((text) => `${JSON.stringify(JSON.parse(text))}\n`)
  return createHash("sha256").update(lines.join("")).digest("hex")
}

test("the digest of lines is that of the records in one line each, in the order of the keys", async () => {
  const { storage, copy } = await opened()
  await using _ = copy
  await using __ = storage
  const { sha256, bytes } = await storage.digestLines(keys)
  expect(sha256).toBe(digestOf(records.map(({ text }) => text)))
  expect(bytes).toBe(
    records.reduce((sum, { text }) => sum + Buffer.byteLength(JSON.stringify(JSON.parse(text))) + 1, 0),
  )
  expect((await storage.digestLines(keys.toReversed())).sha256).not.toBe(sha256)
  expect((await storage.digestLines([])).sha256).toBe(digestOf([]))
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
  const { sha256 } = await storage.digestLines(keys)
  const database = new Database(copy.database)
  database.pragma("foreign_keys = OFF")
  database.exec(change)
  database.close()
  expect((await storage.digestLines(keys)).sha256).not.toBe(sha256)
})

test("what has no lines counts for nothing", async () => {
  const { storage, copy } = await opened()
  await using _ = copy
  await using __ = storage
  const { sha256 } = await storage.digestLines(keys)
  const withOthers = [encodeKey(["session_diff", sessionID]), ...keys, encodeKey(["todo", sessionID])]
  expect((await storage.digestLines(withOthers)).sha256).toBe(sha256)
})

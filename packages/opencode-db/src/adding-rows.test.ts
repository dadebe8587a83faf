import { copyDatabase } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { message, messageID, part, record, session, sessionID, wholeSession } from "./testing/records.js"

test("a session and a message of one id are not taken for each other", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const namesake = record(["message", sessionID, sessionID], { id: sessionID, sessionID, role: "user" })
  const below = record(["part", sessionID, "prt_below"], {
    id: "prt_below",
    sessionID,
    messageID: sessionID,
    type: "text",
  })
  const records = [session, message, part, namesake, below]
  expect(await storage.addTexts(records)).toEqual(records.map(() => undefined))
  expect(await storage.readTexts(records.map(({ key }) => key))).toEqual(records)
})

test("what is in the way of a record is told, whether its owner came with it or not", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  await storage.addTexts(wholeSession)
  const later = record(["part", messageID, "prt_later"], {
    id: "prt_later",
    sessionID,
    messageID,
    type: "text",
  })
  expect(await storage.addTexts([session, message, part, later])).toEqual([session, message, part, undefined])
  expect(await storage.addTexts([part])).toEqual([part])
})

test("the second record of an id is refused, and no owner is made for it", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const twin = record(["message", "ses_nobody", messageID], { role: "user" })
  expect(await storage.addTexts([session, message, twin])).toMatchObject([
    undefined,
    undefined,
    { key: twin.key, error: { code: "INVALID_KEY" } },
  ])
  expect(await storage.list(["session"])).toHaveLength(1)
})

test("keys that are read together give each its own, in their order", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const diff = record(["session_diff", sessionID], [])
  await storage.addTexts([...wholeSession, diff])
  const elsewhere = record(["part", "msg_other", part.key.split("\0")[2] as string], {})
  const todo = record(["todo", sessionID], [])
  const wanted = [part, diff, elsewhere, todo, message, part]
  expect(await storage.readTexts(wanted.map(({ key }) => key))).toEqual([
    part,
    diff,
    undefined,
    todo,
    message,
    part,
  ])
})

import { encodeKey } from "@sessile/core/storage"
import { copyDatabase } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import {
  message,
  part,
  partID,
  project,
  record,
  session,
  sessionID,
  wholeSession,
} from "./testing/records.js"

const lonely = record(["part", "msg_nobody", "prt_lonely"], { type: "text" })
const recoverable = record(["part", "msg_gone", "prt_found"], { type: "text", sessionID: "ses_gone" })
const twin = record(["session", "other", sessionID], { title: "The same id" })
const sameID = record(["part", "msg_gone", partID], { type: "text", sessionID })
const noTodos = record(["todo", sessionID], [])
const strangersTodos = record(["todo", "ses_stranger"], [])
const marker = { key: encodeKey(["migration"]), text: "2" }
const diff = record(["session_diff", sessionID], [])
const times = record(["row_times", sessionID], { part: { [partID]: [1, 2] } })
const laterTimes = record(["row_times", "ses_gone"], { part: { prt_found: [1, 2] } })
const strangersTimes = record(["row_times", "ses_nobody"], {})

const pages = [
  [project],
  [session, noTodos, diff, times, message, part],
  [twin],
  [marker, strangersTodos, recoverable, sameID, lonely],
  [laterTimes, strangersTimes],
]

test.each([
  ["an empty database", []],
  ["one that holds a part of it", [project, session]],
  ["one that holds all of it", wholeSession],
])("a rehearsal for %s tells what adding comes to, and adds nothing", async (_, there) => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  if (there.length > 0) await storage.addTexts(there)
  const before = await storage.list([])
  const rehearsed = []
  for (const page of pages) rehearsed.push(...(await storage.rehearseTexts(page)))
  expect(await storage.list([])).toEqual(before)

  const added = []
  for (const page of pages) added.push(...(await storage.addTexts(page)))
  expect(rehearsed).toEqual(added)
})

test("a part without a message and a session is refused, as is the second record of one id", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
  expect(await storage.rehearseTexts([session, message, part, twin, sameID, lonely])).toMatchObject([
    undefined,
    undefined,
    undefined,
    { key: twin.key, error: { code: "INVALID_KEY" } },
    { key: sameID.key, error: { code: "INVALID_KEY" } },
    { key: lonely.key, error: { code: "INVALID_VALUE" } },
  ])
})

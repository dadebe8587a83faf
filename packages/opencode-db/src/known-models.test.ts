import type { TextRecord } from "@sessile/core/storage"
import { copyDatabase, withSql } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { add } from "./testing/lines.js"
import { messageTime, projectID, record } from "./testing/records.js"

const claude = { providerID: "anthropic", modelID: "claude" }
const gpt = { providerID: "openai", modelID: "gpt" }
const unknown = { providerID: "unknown", modelID: "unknown" }

test("a message without a model has the nearest one of its session", async () => {
  const bodies = await bodiesAfter([
    session("ses_1"),
    message("ses_1", 1, "user", { model: claude }),
    message("ses_1", 2, "assistant"),
    message("ses_1", 3, "user"),
    message("ses_1", 4, "assistant", gpt),
    message("ses_1", 5, "user"),
  ])
  expect(bodies).toMatchObject([{}, claude, { model: gpt }, {}, { model: gpt }])
})

test("without any in its session, it has that of the session that was used last", async () => {
  const bodies = await bodiesAfter(
    [session("ses_1", 10), message("ses_1", 1, "assistant", claude)],
    [session("ses_2", 20), message("ses_2", 2, "assistant", gpt)],
    [session("ses_3", 5), message("ses_3", 3, "user"), message("ses_3", 4, "assistant")],
  )
  expect(bodies).toMatchObject([claude, gpt, { model: gpt }, gpt])
})

test("messages that came before any model was known get the first one", async () => {
  const bodies = await bodiesAfter(
    [session("ses_1"), message("ses_1", 1, "user"), message("ses_1", 2, "assistant")],
    [session("ses_2"), message("ses_2", 3, "user")],
    [session("ses_3"), message("ses_3", 4, "assistant", claude)],
  )
  expect(bodies).toMatchObject([{ model: claude }, claude, { model: claude }, claude])
})

test("only a store without any model leaves it unknown, and no model is part of a record that had none", async () => {
  const user = message("ses_1", 1, "user", { time: { created: 1 }, agent: "build" })
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  await storage.addTexts([session("ses_1"), user])
  expect(bodiesOf(copy.database)).toMatchObject([{ model: unknown }])
  expect(await storage.readTexts([user.key])).toEqual([user])
  await storage.addTexts([message("ses_1", 2, "assistant", claude)])
  expect(bodiesOf(copy.database)).toMatchObject([{ model: claude }, claude])
  expect(await storage.readTexts([user.key])).toEqual([user])
})

test("a placeholder for a missing message answers the user message before it, with the model of its session", async () => {
  const bodies = await bodiesAfter([
    session("ses_1"),
    message("ses_1", 1, "user", { model: claude }),
    message("ses_1", 3, "user", { model: gpt }),
    part("ses_1", 2),
  ])
  expect(bodies[1]).toMatchObject({ role: "assistant", parentID: idOf(1), ...claude })
})

test("no message is its own parent: a session without user messages gets one, before all others", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const answer = message("ses_1", 2, "assistant", { ...claude, parentID: undefined })
  await add(storage, session("ses_1"), answer, part("ses_1", 3), part("ses_1", 4))
  const rows = withSql(copy.database, (database) =>
    database.prepare<[], { id: string; data: string }>("SELECT id, data FROM message ORDER BY id").all(),
  )
  const [parent, ...others] = rows
  expect(JSON.parse(parent?.data ?? "")).toMatchObject({ role: "user", model: claude })
  expect(others.map(({ id }) => id)).toEqual([idOf(2), idOf(3), idOf(4)])
  for (const { data } of others) expect(JSON.parse(data)).toMatchObject({ parentID: parent?.id, ...claude })
  expect(await storage.check()).toEqual([])
})

function session(id: string, updated = 0): TextRecord {
  const time = { created: messageTime - 10, updated: messageTime + updated }
  return record(["session", projectID, id], {
    id,
    projectID,
    directory: "/home/dev/code/acme",
    title: id,
    time,
  })
}

/** What ids of the time of message number so and so begin with. */
function timePart(number: number): string {
  return (0x1e184bea9001 + number * 0x1000).toString(16)
}

function idOf(number: number): string {
  return `msg_${timePart(number)}LXRoIgeOZSe7Q${number}`
}

function message(sessionID: string, number: number, role: string, fields: object = {}): TextRecord {
  const id = idOf(number)
  const time = { created: messageTime + number }
  const parent = role === "assistant" ? { parentID: idOf(number - 1) } : {}
  return record(["message", sessionID, id], { id, sessionID, role, time, ...parent, ...fields })
}

/** A part whose message is missing. */
function part(sessionID: string, number: number): TextRecord {
  const [messageID, id] = [idOf(number), `prt_${timePart(number)}oJ1hGoC6gnr9JI`]
  return record(["part", messageID, id], { id, sessionID, messageID, type: "text", text: "Done" })
}

/** What the messages are in the database after some calls, by id. */
async function bodiesAfter(...calls: readonly TextRecord[][]): Promise<object[]> {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  for (const records of calls) await add(storage, ...records)
  return bodiesOf(copy.database)
}

function bodiesOf(path: string): object[] {
  return withSql(path, (database) =>
    database.prepare<[], string>("SELECT data FROM message ORDER BY id").pluck().all(),
  ).map((data) => JSON.parse(data))
}

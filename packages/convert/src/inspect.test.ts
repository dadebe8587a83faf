import { expect, test } from "vitest"
import { type Anomaly, inspect } from "./inspect.js"
import { conversation, json, storeOf } from "./testing/stores.js"

test("a store is counted by kinds, with its span of time and its projects", async () => {
  const inspection = await inspect({ store: await storeOf(conversation) })
  expect(inspection).toMatchObject({
    records: 10,
    kinds: { message: { records: 2 }, migration: { records: 1, bytes: 1 }, session: { records: 2 } },
    oldest: 900,
    newest: 2100,
    projects: { p: 2 },
    orphans: { sessions: [], messages: [], parts: [] },
    damaged: 0,
    odd: 0,
    straddlesWrap: false,
    finished: true,
  })
  const bytes = Object.values(conversation).reduce((sum, text) => sum + text.length, 0)
  expect(inspection.bytes).toBe(bytes)
})

test("records without owners are named", async () => {
  const { orphans } = await inspect({
    store: await storeOf({ "session/p/ses_1": "{}", "message/ses_2/msg_1": "{}", "part/msg_9/prt_1": "{}" }),
  })
  expect(orphans).toEqual({
    sessions: [["session", "p", "ses_1"]],
    messages: [["message", "ses_2"]],
    parts: [["part", "msg_9"]],
  })
})

test("damaged and odd records are told apart, and not quoted", async () => {
  const anomalies: Anomaly[] = []
  const store = await storeOf({
    "message/ses_1/msg_1": json({ id: "msg_0", sessionID: "ses_1", role: 5, time: "yesterday" }),
    "part/msg_1/prt_1": "[]",
    "session/p/ses_1": '{"secret":"hunter2"',
    "todo/ses_1": "{}",
  })
  const inspection = await inspect({ store, onAnomaly: (anomaly) => anomalies.push(anomaly) })
  expect(inspection).toMatchObject({ damaged: 1, odd: 3 })
  expect(anomalies.map(({ key, kind, reason }) => `${key.join("/")} ${kind}: ${reason}`)).toEqual([
    "message/ses_1/msg_1 odd: The id inside does not match the file name",
    "message/ses_1/msg_1 odd: The field role is a number, not a string",
    "message/ses_1/msg_1 odd: The field time is a string, not an object",
    "part/msg_1/prt_1 odd: The record is a list, not an object",
    "session/p/ses_1 damaged: The record is not valid JSON (19 characters)",
    "todo/ses_1 odd: The record is an object, not a list",
  ])
})

test("a conversation from both sides of a wrap is named", async () => {
  const wrap = Date.parse("2026-08-14T11:19:55.136Z")
  const message = (created: number) => json({ role: "user", time: { created } })
  const { straddlesWrap, sessionsAcrossWrap } = await inspect({
    store: await storeOf({
      "message/ses_1/msg_1": message(wrap - 1),
      "message/ses_1/msg_2": message(wrap),
      "message/ses_2/msg_3": message(wrap + 5),
    }),
  })
  expect({ straddlesWrap, sessionsAcrossWrap }).toEqual({
    straddlesWrap: true,
    sessionsAcrossWrap: ["ses_1"],
  })
})

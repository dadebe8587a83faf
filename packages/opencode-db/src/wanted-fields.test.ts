import type { TextRecord } from "@sessile/core/storage"
import { expect, test } from "vitest"
import { linesOf } from "./testing/lines.js"
import { messageID, partID, record, sessionID } from "./testing/records.js"
import { isLineLacking, lackingFields } from "./wanted-fields.js"

const ids = { id: partID, sessionID, messageID }
const finish = { type: "step-finish", reason: "stop", snapshot: "0", cost: 0.5, tokens: { input: 1 } }
const time = { start: 1, end: 2 }

test.each<[string, object, boolean]>([
  ["a text", { type: "text" }, false],
  ["the end of a step", finish, false],
  ["one without a snapshot", { ...finish, snapshot: undefined }, false],
  ["one in another order", { type: "step-finish", tokens: {}, cost: 0, reason: "stop" }, false],
  ["one with a long reason", { ...finish, reason: "x".repeat(500) }, false],
  ["one whose reason is quoted", { ...finish, reason: '","cost":1,"tokens":' }, false],
  ["one without a reason", { ...finish, reason: undefined }, true],
  ["one without costs", { ...finish, cost: undefined }, true],
  ["one without tokens", { ...finish, tokens: undefined }, true],
  ["one with these further inside", { type: "step-finish", more: { reason: "", cost: 0, tokens: {} } }, true],
  ["one with these in a string", { type: "step-finish", reason: '","cost":0,"tokens":{}' }, true],
  ["reasoning", { type: "reasoning", text: "é", time }, false],
  ["reasoning that goes on", { type: "reasoning", text: "", time: { start: 1 } }, false],
  ["reasoning with more behind its time", { type: "reasoning", text: "", time, metadata: {} }, false],
  ["reasoning without a time", { type: "reasoning", text: "" }, true],
  ["reasoning with a time further inside", { type: "reasoning", text: "", more: { time } }, true],
  ["reasoning that speaks of a time", { type: "reasoning", text: ',"time":{"start":1}}' }, true],
])("%s lacks fields as a line if it does so as a record", (_, fields, isLacking) => {
  const part: TextRecord = record(["part", messageID, partID], { ...ids, ...fields })
  const lines = linesOf([part])
  if (lines === undefined) throw new Error("It has no line")
  expect(isLineLacking(lines, 0)).toBe(isLacking)
  expect(lackingFields({ key: ["part"], value: JSON.parse(part.text) }).length > 0).toBe(isLacking)
})

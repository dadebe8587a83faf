import { expect, test } from "vitest"
import { beginningOf } from "./record-beginning.js"

const ids = { id: "prt_a", sessionID: "ses_a", messageID: "msg_a" }
const beginning = (value: unknown) => beginningOf(Buffer.from(JSON.stringify(value, undefined, 2)))

test("ids and type are read off parts and messages", () => {
  expect(beginning({ ...ids, type: "step-finish", text: "é" })).toEqual({ ...ids, type: "step-finish" })
  expect(beginning({ ...ids, text: "type" })).toEqual({ ...ids, type: undefined })
  const message = { id: "msg_a", sessionID: "ses_a" }
  expect(beginning({ ...message, role: "user" })).toEqual({
    ...message,
    messageID: undefined,
    type: undefined,
  })
})

test.each([
  ["other fields in front", { type: "text", ...ids }],
  ["nothing else", { id: "msg_a", sessionID: "ses_a" }],
  ["an id that is no text", { ...ids, id: 1, type: "text" }],
  ["an id with an escape", { ...ids, id: 'a"b', type: "text" }],
  ["an id beyond ASCII", { ...ids, id: "é", type: "text" }],
  ["an id of any length", { ...ids, id: "a".repeat(1000), type: "text" }],
  ["no object", [ids]],
])("with %s there is nothing to be read off", (_, value) => {
  expect(beginning(value)).toBeUndefined()
})

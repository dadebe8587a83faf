import type { Key } from "@sessile/core/storage"
import { expect, test } from "vitest"
import { isPlainPart } from "./plain-part.js"

const key: Key = ["part", "msg_a", "prt_a"]
const part = { id: "prt_a", sessionID: "ses_a", messageID: "msg_a", type: "text", text: 'é "quoted"\n' }

function isPlain(of: Key, value: unknown, indent = 2): boolean {
  return isPlainPart(of, Buffer.from(JSON.stringify(value, undefined, indent)))
}

test("a part as opencode writes it is plain", () => {
  expect(isPlain(key, part)).toBe(true)
  expect(isPlain(key, { ...part, sessionID: "elsewhere" })).toBe(true)
})

test.each<[string, Key, unknown, number?]>([
  ["of another kind", ["message", "msg_a", "prt_a"], part],
  ["deeper down", [...key, "below"], part],
  ["without an id", ["part", "msg_a"], part],
  ["with the id of another place", key, { ...part, id: "prt_b" }],
  ["with the message of another place", key, { ...part, messageID: "msg_b" }],
  ["with ids in another order", key, Object.fromEntries(Object.entries(part).reverse())],
  ["with a type that is no text", key, { ...part, type: 1 }],
  ["laid out otherwise", key, part, 4],
  // In Latin-1 the bytes of the one are the other.
  ["with an id that merely looks the same", ["part", "msg_a", "Ã©"], { ...part, id: "é" }],
])("one %s is not", (_, of, value, indent) => {
  expect(isPlain(of, value, indent)).toBe(false)
})

test("one that is damaged is not", () => {
  const text = JSON.stringify(part, undefined, 2)
  for (const damaged of [text.slice(0, -1), `${text}\n`, text.replace("\\n", "\n"), ""]) {
    expect(isPlainPart(key, Buffer.from(damaged))).toBe(false)
  }
})

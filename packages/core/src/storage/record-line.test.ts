import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { NOWHERE } from "./indented.js"
import type { Key } from "./key.js"
import { LineMaker } from "./record-line.js"
import { Shelf } from "./shelf.js"

const partKey: Key = ["part", "msg_a", "prt_a"]
const messageKey: Key = ["message", "ses_a", "msg_a"]
const part = { id: "prt_a", sessionID: "ses_a", messageID: "msg_a", type: "text" }
const message = { id: "msg_a", sessionID: "ses_a" }

const indented = (value: unknown) => Buffer.from(JSON.stringify(value, undefined, 2))
/** The line that a record has in the session of both keys, put on a shelf; it is followed by a line end. */
function lineOf(key: Key, utf8: Buffer, shelf = new Shelf()): string | undefined {
  const [kind, owner = "", id = ""] = key as ["message" | "part", string, string]
  const length = new LineMaker(kind, owner, "ses_a").put(id, utf8, shelf)
  if (length === NOWHERE) return undefined
  const end = shelf.offset
  expect(shelf.roomFor(0)[end - 1]).toBe("\n".charCodeAt(0))
  return shelf.roomFor(0).toString("utf8", end - 1 - length, end - 1)
}

const lineOfText = (key: Key, text: string) => lineOf(key, Buffer.from(text))

const anything = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" })
// Names that look like numbers would come first.
const names = fc.oneof(
  fc.string().map((name) => `_${name}`),
  fc.constantFrom("text", "state", "time", "idea"),
)
const fields = fc.dictionary(names, anything, { maxKeys: 6 })

describe("the line of a record", () => {
  test("is its JSON in one line, whatever it says, and lines follow each other", () => {
    fc.assert(
      fc.property(fc.array(fields, { minLength: 1, maxLength: 5 }), (bodies) => {
        const shelf = new Shelf()
        const values = bodies.map((body) => ({ ...part, ...body, ...part }))
        const lines = values.map((value) => lineOf(partKey, indented(value), shelf))
        expect(lines).toEqual(values.map((value) => JSON.stringify(value)))
        const text = lines.map((line) => `${line}\n`).join("")
        expect(shelf.offset).toBe(Buffer.byteLength(text))
        expect(shelf.roomFor(0).toString("utf8", 0, shelf.offset)).toBe(text)
      }),
    )
  })

  test("keeps numbers, escapes and repeated fields as they are", () => {
    const body = '"a": 1.0,\n  "b": [\n    1E5,\n    -0\n  ],\n  "c": "\\u0061\\/ \\" é",\n  "c": {}\n}'
    const text = indented(part).toString().replace("\n}", `,\n  ${body}`)
    const line = '"a":1.0,"b":[1E5,-0],"c":"\\u0061\\/ \\" é","c":{}}'
    expect(lineOfText(partKey, text)).toBe(`${JSON.stringify(part).slice(0, -1)},${line}`)
  })

  test("is one of long strings and of short ones", () => {
    for (const length of [0, 1, 62, 63, 64, 65, 5000]) {
      const value = { ...part, text: "x y".repeat(length), more: "z".repeat(length) }
      expect(lineOfText(partKey, indented(value).toString())).toBe(JSON.stringify(value))
    }
  })
})

test.each<[string, Key, unknown]>([
  ["of another id", partKey, { ...part, id: "prt_b" }],
  ["of another message", partKey, { ...part, messageID: "msg_b" }],
  ["of another session", messageKey, { ...message, sessionID: "ses_b", role: "user" }],
  ["of a part in another session", partKey, { ...part, sessionID: "ses_b" }],
  ["of a message under another session", ["message", "ses_b", "msg_a"], { ...message, role: "user" }],
  ["whose id needs escapes", ["part", "msg_a", "prt\\a"], { ...part, id: "prt\\a" }],
  ["whose owner is not ASCII", ["part", "msg_é", "prt_a"], { ...part, messageID: "msg_é" }],
  ["of a type that needs escapes", partKey, { ...part, type: 'te"xt' }],
  ["of a message that tells a message", messageKey, { ...message, messageID: "msg_a", role: "user" }],
  ["of a part without a type", partKey, { ...part, type: undefined, text: "text" }],
  ["of a message with nothing but ids", messageKey, message],
  ["of a part with a note of filled fields", partKey, { ...part, filledBySessile: [] }],
])("there is no line of a record %s", (_, key, value) => {
  const text = JSON.stringify(value, undefined, 2)
  expect(lineOfText(key, text)).toBeUndefined()
})

test.each(["id", "sessionID", "messageID", "filledBySessile"])("nor of one that tells %s again", (name) => {
  const text = indented({ ...part, text: "" }).toString()
  expect(lineOfText(partKey, text.replace("\n}", `,\n  "${name}": 1\n}`))).toBeUndefined()
  expect(lineOfText(partKey, text.replace("\n}", `,\n  "${name}s": 1\n}`))).toBeDefined()
  const inside = indented({ ...part, state: { [name]: 1 }, list: [{ [name]: [] }] }).toString()
  expect(lineOfText(partKey, inside)).toBeDefined()
})

test.each([4, 0, "\t"])("nor of one that is indented by %j", (indent) => {
  expect(lineOfText(partKey, JSON.stringify(part, undefined, indent))).toBeUndefined()
})

test("nor of one that is damaged", () => {
  const text = indented({ ...part, text: "a\nb" }).toString()
  for (const damaged of [text.slice(0, -1), `${text}\n`, text.replace("\\n", "\n"), ""]) {
    expect(lineOfText(partKey, damaged)).toBeUndefined()
  }
})

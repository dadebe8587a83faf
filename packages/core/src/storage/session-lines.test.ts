import { expect, test } from "vitest"
import { encodeKey, type Key } from "./key.js"
import { LineMaker } from "./record-line.js"
import { SessionLines } from "./session-lines.js"
import { Shelf } from "./shelf.js"

const sessionID = "ses_a"
const message = (id: string) => ({ id, sessionID, role: "user", note: "é" })
const part = (messageID: string, id: string, type: string) => ({ id, sessionID, messageID, type, text: id })

const values = [
  message("msg_a"),
  message("msg_ab"),
  part("msg_a", "prt_a", "text"),
  part("msg_ab", "prt_abc", "tool"),
  part("msg_ab", "prt_ab", "text"),
]
const keys: Key[] = values.map((value) => {
  return "messageID" in value ? ["part", value.messageID, value.id] : ["message", sessionID, value.id]
})

/** With pieces of memory that hold so many lines each. */
function linesIn(pieces: readonly number[]): SessionLines {
  const places: number[] = []
  const memory: Buffer[] = []
  let next = 0
  for (const [piece, count] of pieces.entries()) {
    const shelf = new Shelf()
    memory.push(shelf.roomFor(1))
    for (let end = next + count; next < end; next++) {
      const [kind, owner = "", id = ""] = keys[next] as ["message" | "part", string, string]
      const start = shelf.offset
      const text = JSON.stringify(values[next], undefined, 2)
      places.push(piece, start, new LineMaker(kind, owner, sessionID).put(id, Buffer.from(text), shelf))
    }
  }
  const ids = values.map(({ id }) => id)
  const owners = ["msg_a", "msg_ab"]
  const ownerNumbers = Uint32Array.of(0, 0, 0, 1, 1)
  const found = { sessionID, ids, messages: 2, owners, ownerNumbers, places: Uint32Array.from(places) }
  return new SessionLines(found, memory)
}

test("each line tells its ids, its body and its value", () => {
  const lines = linesIn([5])
  expect(lines.length).toBe(5)
  for (const [position, value] of values.entries()) {
    const isPart = "messageID" in value
    expect(lines.id(position)).toBe(value.id)
    expect(lines.owner(position)).toBe(isPart ? value.messageID : sessionID)
    const beginsWith = (text: string) => lines.beginsWith(position, Buffer.from(text))
    expect(beginsWith(isPart ? `"type":"${value.type}"` : '"role":"user"')).toBe(true)
    expect(beginsWith('"type":"file"')).toBe(false)
    expect(lines.utf8(position).toString()).toBe(JSON.stringify(value))
    const { id, sessionID: _, ...rest } = value
    const { messageID, ...body } = { messageID: undefined, ...rest }
    expect(`{${lines.body(position)}`).toBe(JSON.stringify(body))
    expect(lines.withBody(position, String)).toBe(JSON.stringify(body))
    expect(`{${lines.body(position)}`).toBe(JSON.stringify(body))
    expect(lines.value(position)).toEqual(value)
  }
  expect(lines.value(0)).toBe(lines.value(0))
  expect(lines.keys()).toEqual(keys.map(encodeKey))
})

test.each([
  ["all of them", () => true, [5], 1],
  ["all of them in two pieces", () => true, [2, 3], 2],
  ["all but one in the middle", (position: number) => position !== 2, [5], 2],
  ["the first and the last", (position: number) => position % 4 === 0, [5], 2],
  ["none", () => false, [5], 0],
] as const)("lines that lie one behind the other come together: %s", (_, isWanted, pieces, count) => {
  const lines = linesIn(pieces)
  const stretches = [...lines.stretches(isWanted)].map(String)
  const wanted = values.filter((_, position) => isWanted(position))
  expect(stretches.join("")).toBe(wanted.map((value) => `${JSON.stringify(value)}\n`).join(""))
  expect(stretches).toHaveLength(count)
})

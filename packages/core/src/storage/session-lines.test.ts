import { expect, test } from "vitest"
import { encodeKey, type Key } from "./key.js"
import { lineOf } from "./record-line.js"
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
      const line = lineOf(keys[next] as Key, Buffer.from(JSON.stringify(values[next], undefined, 2)), shelf)
      if (line === undefined) throw new Error("There is no such line")
      places.push(piece, line.utf8.byteOffset - (memory[piece]?.byteOffset ?? 0), line.utf8.length)
    }
  }
  const words = ["text", undefined, "tool"]
  return new SessionLines(
    {
      sessionID,
      keys: keys.map(encodeKey),
      messages: 2,
      types: Uint32Array.of(1, 1, 0, 2, 0),
      words,
      places: Uint32Array.from(places),
    },
    memory,
  )
}

test("each line tells its ids, its type, its body and its value", () => {
  const lines = linesIn([5])
  expect(lines.length).toBe(5)
  for (const [position, value] of values.entries()) {
    const isPart = "messageID" in value
    expect(lines.id(position)).toBe(value.id)
    expect(lines.owner(position)).toBe(isPart ? value.messageID : sessionID)
    expect(lines.type(position)).toBe(isPart ? value.type : undefined)
    expect(lines.utf8(position).toString()).toBe(JSON.stringify(value))
    const { id, sessionID: _, ...rest } = value
    const { messageID, ...body } = { messageID: undefined, ...rest }
    expect(`{${lines.body(position)}`).toBe(JSON.stringify(body))
    expect(lines.value(position)).toEqual(value)
  }
  expect(lines.value(0)).toBe(lines.value(0))
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

import { describe, expect, it } from "vitest"
import type { TextPart, ToolPart } from "../model/content-part.js"
import { Workbench } from "./testing/workbench.js"

const pending = { status: "pending", input: {}, raw: "" } as const
const running = { status: "running", input: {}, time: { start: 1 } } as const
const completed = {
  status: "completed",
  input: {},
  output: "",
  title: "",
  metadata: {},
  time: { start: 1, end: 2 },
} as const

describe("parts", () => {
  it("can be added, read, changed and removed, and each is told", async () => {
    const bench = new Workbench()
    const { sessionID, answerID } = await bench.conversation()
    bench.events.length = 0
    const { parts } = bench.sessions
    const part = await parts.add({ sessionID, id: answerID }, { type: "text", text: "One" })
    expect(await parts.get(part)).toEqual(part)
    const edit = (draft: TextPart) => {
      draft.text = "Two"
    }
    expect(await parts.update(part, edit)).toEqual({ ...part, text: "Two" })
    expect(await parts.get(part)).toEqual({ ...part, text: "Two" })
    await parts.remove(part)
    await expect(parts.get(part)).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(bench.events).toEqual([
      { type: "message.part.updated", properties: { part } },
      { type: "message.part.updated", properties: { part: { ...part, text: "Two" } } },
      { type: "message.part.removed", properties: { sessionID, messageID: answerID, partID: part.id } },
    ])
  })

  it("are refused with nothing changed where they do not belong", async () => {
    const bench = new Workbench()
    const { sessionID, answerID, textID } = await bench.conversation()
    const { sessionID: other } = await bench.conversation()
    const before = await bench.records()
    const { parts } = bench.sessions
    const text = { type: "text", text: "" } as const
    const own = { id: textID, messageID: answerID, sessionID }
    const refused = [
      [parts.add({ sessionID, id: "msg_unknown" }, text), "NOT_FOUND"],
      [parts.add({ sessionID: other, id: answerID }, text), "NOT_FOUND"],
      [parts.add({ sessionID, id: answerID }, { ...text, id: textID }), "EXISTS"],
      [parts.add({ sessionID, id: answerID }, { type: "text" } as never), "INVALID_RECORD"],
      [parts.update({ ...own, sessionID: other }, () => undefined), "NOT_FOUND"],
      [parts.update({ ...own, id: "prt_unknown" }, () => undefined), "NOT_FOUND"],
      [parts.update(own, (draft) => Object.assign(draft, { id: "prt_x" })), "IMMUTABLE"],
      [parts.update(own, (draft) => Object.assign(draft, { messageID: "msg_x" })), "IMMUTABLE"],
      [parts.update(own, (draft) => Object.assign(draft, { type: "file" })), "IMMUTABLE"],
      [parts.update(own, (draft) => Object.assign(draft, { text: 1 })), "INVALID_RECORD"],
      [parts.remove({ ...own, sessionID: other }), "NOT_FOUND"],
      [parts.remove({ ...own, id: "prt_unknown" }), "NOT_FOUND"],
      [parts.get({ ...own, sessionID: other }), "NOT_FOUND"],
    ] as const
    for (const [promise, code] of refused) await expect(promise).rejects.toMatchObject({ code })
    expect(await bench.records()).toEqual(before)
  })

  it("let a tool call take the steps that it can, and no other", async () => {
    const bench = new Workbench()
    const { sessionID, answerID } = await bench.conversation()
    const { parts } = bench.sessions
    const call = { type: "tool", callID: "call_1", tool: "bash", state: pending } as const
    const part = await parts.add({ sessionID, id: answerID }, call)
    const become = (state: ToolPart["state"]) =>
      parts.update<ToolPart>(part, (draft) => {
        draft.state = state
      })
    await expect(become(completed)).rejects.toMatchObject({ code: "INVALID_TRANSITION" })
    expect(await parts.get(part)).toEqual(part)
    await become(running)
    await become(completed)
    await become({ ...completed, time: { ...completed.time, compacted: 3 } })
    await expect(become(running)).rejects.toMatchObject({ code: "INVALID_TRANSITION" })
  })
})

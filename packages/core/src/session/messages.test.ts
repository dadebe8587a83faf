import { describe, expect, it } from "vitest"
import { MemoryStorage } from "../storage/memory-storage.js"
import type { StorageError } from "../storage/storage-error.js"
import { copyStore, readStore } from "./testing/store.js"
import { answer, gather, question, Workbench } from "./testing/workbench.js"

describe("add", () => {
  it("stores a message with its parts, and tells of both", async () => {
    const bench = new Workbench()
    const { id: sessionID } = await bench.sessions.create()
    const parts = [
      { type: "text", text: "Look" },
      { type: "file", mime: "image/png", url: "data:," },
    ] as const
    const added = await bench.sessions.messages.add(sessionID, question, parts)
    expect(added.info).toEqual({
      ...question,
      id: expect.stringMatching(/^msg_/),
      sessionID,
      time: { created: bench.now },
    })
    expect(await bench.sessions.messages.getWithParts(added.info)).toEqual(added)
    expect(added.parts.map(({ type }) => type)).toEqual(["text", "file"])
    const updates = ["message.updated", "message.part.updated", "message.part.updated"]
    expect(bench.told).toEqual(["session.created", ...updates])
  })

  it("refuses with nothing changed", async () => {
    const bench = new Workbench()
    const { sessionID, questionID } = await bench.conversation()
    const other = await bench.conversation()
    const before = await bench.records()
    const events = bench.events.length
    const { messages } = bench.sessions
    const unknownField = { ...question, colour: "red" }
    const refused = [
      [messages.add("ses_unknown", question), "NOT_FOUND"],
      [messages.add(sessionID, answer("msg_unknown")), "NOT_FOUND"],
      [messages.add(sessionID, answer(other.questionID)), "NOT_FOUND"],
      [messages.add(sessionID, { ...question, id: questionID }), "EXISTS"],
      [messages.add(sessionID, unknownField), "INVALID_RECORD"],
      [messages.add(sessionID, question, [{ type: "text" } as never]), "INVALID_RECORD"],
    ] as const
    for (const [promise, code] of refused) await expect(promise).rejects.toMatchObject({ code })
    expect(await bench.records()).toEqual(before)
    expect(bench.events).toHaveLength(events)
  })
})

describe("update", () => {
  it("changes a message and tells of it", async () => {
    const bench = new Workbench()
    const { sessionID, answerID } = await bench.conversation()
    const edit = (draft: object) => Object.assign(draft, { finish: "stop" })
    const updated = await bench.sessions.messages.update({ sessionID, id: answerID }, edit)
    expect(updated).toMatchObject({ id: answerID, finish: "stop" })
    expect(await bench.sessions.messages.get(updated)).toEqual(updated)
    expect(bench.events.at(-1)).toEqual({ type: "message.updated", properties: { info: updated } })
  })

  it.each([
    ["IMMUTABLE", { id: "msg_other" }],
    ["IMMUTABLE", { sessionID: "ses_other" }],
    ["IMMUTABLE", { role: "user" }],
    ["INVALID_RECORD", { cost: "much" }],
  ])("refuses with %s an edit to %j", async (code, fields) => {
    const bench = new Workbench()
    const { sessionID, answerID } = await bench.conversation()
    const before = await bench.records()
    const edit = (draft: object) => Object.assign(draft, fields)
    const update = bench.sessions.messages.update({ sessionID, id: answerID }, edit)
    await expect(update).rejects.toMatchObject({ code })
    expect(await bench.records()).toEqual(before)
  })

  it("does not find a message in another session", async () => {
    const bench = new Workbench()
    const { answerID } = await bench.conversation()
    const { sessionID } = await bench.conversation()
    const update = bench.sessions.messages.update({ sessionID, id: answerID }, () => undefined)
    await expect(update).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("remove", () => {
  it("removes a message with its parts, and nothing else", async () => {
    const bench = new Workbench()
    const { sessionID, questionID, answerID } = await bench.conversation()
    const keys = Object.keys(await bench.records())
    await bench.sessions.messages.remove({ sessionID, id: answerID })
    expect(Object.keys(await bench.records())).toEqual(keys.filter((key) => !key.includes(answerID)))
    expect(bench.events.at(-1)).toEqual({
      type: "message.removed",
      properties: { sessionID, messageID: answerID },
    })
    expect((await bench.sessions.messages.load(sessionID)).map(({ info }) => info.id)).toEqual([questionID])
  })

  it("leaves a message of another session, and its parts, alone", async () => {
    const bench = new Workbench()
    const { answerID } = await bench.conversation()
    const { sessionID } = await bench.conversation()
    const before = await bench.records()
    const removal = bench.sessions.messages.remove({ sessionID, id: answerID })
    await expect(removal).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(await bench.records()).toEqual(before)
  })

  it("removes a message that cannot be read", async () => {
    const { sessions, storage } = new Workbench()
    await storage.write(["message", "ses_1", "msg_1"], "damaged")
    await sessions.messages.remove({ sessionID: "ses_1", id: "msg_1" })
    expect(await storage.list(["message"])).toEqual([])
  })
})

describe("load and stream", () => {
  it("keep the order of real conversations, also across the wrap of ids", async () => {
    for (const store of ["v1.0.61", "v1.1.65", "v1.1.65-id-wrap"] as const) {
      const { sessions } = new Workbench({ storage: await copyStore(store) })
      const stored = readStore(store).filter(({ messages }) => messages.length > 0)
      for (const { session, messages } of stored) {
        expect(await sessions.messages.load(session.id)).toEqual(messages)
        expect(await gather(sessions.messages.stream(session.id))).toEqual(messages.toReversed())
      }
    }
  })

  it("correct stale ids by the keys", async () => {
    const { sessions, storage } = new Workbench()
    const stale = { id: "msg_old", sessionID: "ses_old", messageID: "msg_old" }
    await storage.write(["message", "ses_1", "msg_1"], { ...stale, role: "user", time: { created: 1 } })
    await storage.write(["part", "msg_1", "prt_1"], { ...stale, type: "text", text: "" })
    const [message] = await sessions.messages.load("ses_1")
    expect(message?.info).toMatchObject({ id: "msg_1", sessionID: "ses_1" })
    expect(message?.parts[0]).toMatchObject({ id: "prt_1", messageID: "msg_1", sessionID: "ses_1" })
    expect(await gather(sessions.messages.stream("ses_1"))).toEqual([message])
  })

  it("pass on parts of types that are not known yet", async () => {
    const { sessions, storage } = new Workbench()
    await storage.write(["message", "ses_1", "msg_1"], { role: "user", time: { created: 1 } })
    await storage.write(["part", "msg_1", "prt_1"], { type: "hologram", depth: 3 })
    const [message] = await sessions.messages.load("ses_1")
    expect(message?.parts).toMatchObject([{ type: "hologram", depth: 3 }])
  })

  it("tell an empty session from an unknown one", async () => {
    const { sessions } = new Workbench()
    const { id } = await sessions.create()
    expect(await sessions.messages.load(id)).toEqual([])
    expect(await gather(sessions.messages.stream(id))).toEqual([])
    await expect(sessions.messages.load("ses_unknown")).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(gather(sessions.messages.stream("ses_unknown"))).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("reject at a damaged record, or tell onCorrupt and go on", async () => {
    const bench = new Workbench()
    const { sessionID, questionID, answerID, textID } = await bench.conversation()
    await bench.storage.write(["message", sessionID, "msg_bad"], { role: "user" })
    await bench.storage.write(["part", answerID, textID], [])
    await expect(bench.sessions.messages.load(sessionID)).rejects.toMatchObject({ code: "CORRUPT" })
    const problems: StorageError[] = []
    const onCorrupt = (error: StorageError) => problems.push(error)
    const messages = await bench.sessions.messages.load(sessionID, { onCorrupt })
    expect(messages.map(({ info, parts }) => [info.id, parts.length])).toEqual([
      [questionID, 1],
      [answerID, 0],
    ])
    expect(problems).toHaveLength(2)
    expect(await gather(bench.sessions.messages.stream(sessionID, { onCorrupt }))).toEqual(messages.reverse())
  })

  it("take one scan of messages and one of parts", async () => {
    const storage = new ScanCounter()
    const bench = new Workbench({ storage })
    const { sessionID } = await bench.conversation()
    storage.scans = 0
    await bench.sessions.messages.load(sessionID)
    expect(storage.scans).toBe(2)
  })

  it("read of a long conversation only what is asked for", async () => {
    const storage = new ScanCounter()
    const { sessions } = new Workbench({ storage })
    for (let index = 0; index < 500; index++) {
      await storage.write(["message", "ses_1", `msg_${index}`], { role: "user", time: { created: index } })
      await storage.write(["part", `msg_${index}`, "prt_1"], { type: "text", text: String(index) })
    }
    storage.parts = 0
    for await (const { parts } of sessions.messages.stream("ses_1")) {
      expect(parts).toMatchObject([{ text: "499" }])
      break
    }
    expect(storage.parts).toBeLessThan(50)
  })

  it("passes over messages that are removed while it streams", async () => {
    const { sessions, storage } = new Workbench()
    for (let index = 0; index < 100; index++) {
      await storage.write(["message", "ses_1", `msg_${index}`], { role: "user", time: { created: index } })
    }
    const seen: string[] = []
    for await (const { info } of sessions.messages.stream("ses_1")) {
      if (seen.length === 0) await storage.remove(["message", "ses_1", "msg_10"])
      seen.push(info.id)
    }
    expect(seen).toHaveLength(99)
    expect(seen).not.toContain("msg_10")
  })
})

class ScanCounter extends MemoryStorage {
  scans = 0
  parts = 0

  override async *scanMany<T>(...parameters: Parameters<MemoryStorage["scanMany"]>) {
    this.scans++
    for await (const entry of super.scanMany<T>(...parameters)) {
      if (entry.key[0] === "part") this.parts++
      yield entry
    }
  }
}

import { describe, expect, it } from "vitest"
import type { ToolPart } from "../model/content-part.js"
import type { FilePart } from "../model/file-part.js"
import { copyStore, readStore } from "./testing/store.js"
import { answer, question, Workbench } from "./testing/workbench.js"
import { transcript } from "./transcript.js"

const acme = { id: "a08918a10ff26f65d55fc0bead5534907d8df481", worktree: "/home/dev/code/acme", vcs: "git" }

describe("fork", () => {
  it("copies real conversations in order, and leaves the originals alone", async () => {
    for (const store of ["v1.1.65", "v1.1.65-id-wrap"] as const) {
      const bench = new Workbench({ storage: await copyStore(store), project: acme })
      const before = await bench.records()
      for (const { session, messages } of readStore(store)) {
        const fork = await bench.sessions.fork(session.id)
        const copies = await bench.sessions.messages.load(fork.id)
        expect(transcript(copies).map(withoutIds)).toEqual(transcript(messages).map(withoutIds))
        for (const [index, { info }] of copies.entries()) {
          const { id: _, sessionID: __, ...original } = messages[index]?.info ?? info
          if (original.role === "assistant") delete original.parentID
          expect(info).toMatchObject(original)
        }
      }
      expect(await bench.records()).toMatchObject(before)
    }
  })

  it("names no id of the original, but for what a model said", async () => {
    const bench = new Workbench()
    const { sessionID, questionID, answerID } = await bench.conversation()
    const file = (id: string): FilePart => {
      return { id, sessionID, messageID: answerID, type: "file", mime: "image/png", url: "data:," }
    }
    await bench.storage.write(["part", answerID, "prt_tool"], {
      id: "prt_tool",
      sessionID,
      messageID: answerID,
      type: "tool",
      callID: "call_1",
      tool: "task",
      state: {
        status: "completed",
        input: { sessionID, note: questionID },
        output: questionID,
        title: "",
        metadata: { sessionId: sessionID, about: { message_id: questionID, partID: "prt_elsewhere" } },
        time: { start: 1, end: 2 },
        attachments: [file("prt_attached")],
      },
    })
    const fork = await bench.sessions.fork(sessionID)
    const [asked, answered] = await bench.sessions.messages.load(fork.id)
    const tool = answered?.parts.at(-1) as ToolPart
    expect(answered?.info).toMatchObject({ parentID: asked?.info.id, sessionID: fork.id })
    expect(tool.state).toMatchObject({
      input: { sessionID, note: questionID },
      output: questionID,
      metadata: { sessionId: fork.id, about: { message_id: asked?.info.id, partID: "prt_elsewhere" } },
      attachments: [{ sessionID: fork.id, messageID: answered?.info.id }],
    })
    const [attached] = "attachments" in tool.state ? (tool.state.attachments as FilePart[]) : []
    expect(attached?.id).toMatch(/^prt_[0-9a-f]{12}/)
    const elsewhere = JSON.stringify([
      asked,
      { ...answered, parts: answered?.parts.filter((part) => part !== tool) },
    ])
    for (const id of [sessionID, questionID, answerID]) expect(elsewhere).not.toContain(id)
  })

  it("leaves out the named message and all that come after it in time", async () => {
    const bench = new Workbench()
    const { sessionID, questionID, answerID } = await bench.conversation()
    // Made after the ids have wrapped, so that it sorts before the others.
    const late = { ...question, id: "msg_000000000001aaaaaaaaaaaaaa", time: { created: bench.now + 1 } }
    await bench.sessions.messages.add(sessionID, late)
    const lengthOf = async (messageID: string) => {
      const fork = await bench.sessions.fork(sessionID, { messageID })
      return (await bench.sessions.messages.load(fork.id)).length
    }
    expect(await lengthOf(late.id)).toBe(2)
    expect(await lengthOf(answerID)).toBe(1)
    expect(await lengthOf(questionID)).toBe(0)
  })

  it("is a root that begins now, with title, folder and rules of its original, and is told", async () => {
    const bench = new Workbench()
    const rule = { permission: "edit", pattern: "*", action: "deny" } as const
    const parent = await bench.sessions.create()
    const options = { parentID: parent.id, title: "Fix", directory: "/here", permission: [rule] }
    const { id } = await bench.sessions.create(options)
    bench.now += 10
    const fork = await bench.sessions.fork(id)
    expect(fork).toMatchObject({ title: "Fix (fork #1)", directory: "/here", permission: [rule] })
    expect(fork.time).toEqual({ created: bench.now, updated: bench.now })
    expect(fork).not.toHaveProperty("parentID")
    expect((await bench.sessions.fork(fork.id)).title).toBe("Fix (fork #2)")
    expect(bench.told).toEqual(Array(4).fill("session.created"))
  })

  it("takes over a pending revert, unless what it would bring back stays out", async () => {
    const bench = new Workbench()
    const { sessionID, questionID, answerID, textID } = await bench.conversation()
    const revert = { messageID: answerID, partID: textID, snapshot: "hash", diff: "", unknown: 1 }
    await bench.sessions.update(sessionID, (draft) => Object.assign(draft, { revert }))
    const fork = await bench.sessions.fork(sessionID)
    const [, answered] = await bench.sessions.messages.load(fork.id)
    expect(fork.revert).toEqual({
      messageID: answered?.info.id,
      partID: answered?.parts[0]?.id,
      snapshot: "hash",
      diff: "",
    })
    expect(await bench.sessions.fork(sessionID, { messageID: questionID })).not.toHaveProperty("revert")
  })

  it("counts what it copied only once, and what comes after as its own", async () => {
    const bench = new Workbench()
    const { id } = await bench.sessions.create()
    bench.now += 5
    const { info } = await bench.sessions.messages.add(id, question)
    await bench.sessions.messages.add(id, { ...answer(info.id), cost: 2 })
    const fork = await bench.sessions.fork(id)
    expect((await bench.sessions.usage()).total().cost).toBe(2)
    bench.now += 5
    const [copied] = await bench.sessions.messages.load(fork.id)
    await bench.sessions.messages.add(fork.id, { ...answer(copied?.info.id as string), cost: 1 })
    const totals = (await bench.sessions.usage()).by("session")
    expect([totals.get(id)?.cost, totals.get(fork.id)?.cost]).toEqual([2, 1])
  })

  it("refuses unknown sessions and messages, and changes nothing", async () => {
    const bench = new Workbench()
    const { sessionID } = await bench.conversation()
    const { questionID } = await bench.conversation()
    const before = await bench.records()
    const { sessions } = bench
    await expect(sessions.fork("ses_unknown")).rejects.toMatchObject({ code: "NOT_FOUND" })
    const foreign = sessions.fork(sessionID, { messageID: questionID })
    await expect(foreign).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(await bench.records()).toEqual(before)
  })
})

function withoutIds<T extends { readonly messageID: string }>({ messageID: _, ...entry }: T): unknown {
  return entry
}

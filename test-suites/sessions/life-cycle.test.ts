import { compareMessages } from "@sessile/core/identifier"
import type { Part } from "@sessile/core/model"
import type { Sessions } from "@sessile/core/session"
import { fixturePath, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { answer, live, openSessions, question } from "./life-cycle.js"
import { durableStores, fill, gather, memory, records } from "./stores.js"

const acme = { id: "a08918a10ff26f65d55fc0bead5534907d8df481", worktree: "/home/dev/code/acme", vcs: "git" }

test("in memory a life cycle leaves what it should", async () => {
  const storage = await memory.open("")
  const opened = openSessions(storage)
  const outcome = await live(opened)
  expect(outcome.at(-1)).toEqual(["INVALID_TRANSITION", "CYCLE", "NOT_FOUND", "NOT_FOUND"])
  const counts: Record<string, number> = {}
  for (const [key] of await records(storage)) {
    const kind = key.slice(0, key.indexOf("/"))
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  expect(counts).toEqual({ message: 5, part: 7, session: 5, session_diff: 2, session_share: 1 })
  expect(opened.events.length).toBeGreaterThan(30)
})

describe.each(durableStores)("$name", ({ open }) => {
  test("gives the same results, events and records as memory, also after it was reopened", async () => {
    await using folder = await temporaryFolder()
    const expected = await memory.open("")
    const inMemory = openSessions(expected)
    const outcome = await live(inMemory)

    const storage = await open(folder.path)
    const opened = openSessions(storage)
    expect(await live(opened)).toEqual(outcome)
    expect(opened.events).toEqual(inMemory.events)
    expect(await records(storage)).toEqual(await records(expected))
    await storage.close()

    await using reopened = await open(folder.path)
    const listed = await gather(openSessions(reopened).sessions.list())
    expect(listed).toEqual(await gather(inMemory.sessions.list()))
  })

  test("keeps the order of a conversation across the wrap of ids", async () => {
    await using folder = await temporaryFolder()
    await using storage = await open(folder.path)
    await fill(storage, fixturePath("v1.1.65-id-wrap"))
    const { sessions } = openSessions(storage, { project: acme })
    for (const { id } of await gather(sessions.list())) {
      const messages = await sessions.messages.load(id)
      const infos = messages.map(({ info }) => info)
      expect(infos).toEqual(infos.toSorted(compareMessages))
      expect(await gather(sessions.messages.stream(id))).toEqual(messages.toReversed())
      const fork = await sessions.fork(id)
      const copies = await sessions.messages.load(fork.id)
      expect(copies.map(({ info }) => info.time)).toEqual(infos.map(({ time }) => time))
    }
  })

  test("marks outputs that models need no more, and tells of it when they are stored", async () => {
    await using folder = await temporaryFolder()
    const storage = await open(folder.path)
    const { sessions, events } = openSessions(storage)
    const { id } = await sessions.create()
    const output = "word".repeat(30_000)
    for (const used of [output, output, output, "", ""]) await useTool(sessions, id, used)
    events.length = 0
    const pruned = await sessions.prune(id)
    expect(pruned).toHaveLength(2)
    expect(events).toEqual(pruned.map((part) => ({ type: "message.part.updated", properties: { part } })))
    await storage.close()

    await using reopened = await open(folder.path)
    const messages = await openSessions(reopened).sessions.messages.load(id)
    const marked = messages.flatMap(({ parts }) => parts).filter(isMarked)
    expect(marked).toEqual(pruned.toReversed())
  })

  test("removes a session of a real store, and nothing else", async () => {
    await using folder = await temporaryFolder()
    await using storage = await open(folder.path)
    await fill(storage, fixturePath("v1.1.65"))
    const { sessions } = openSessions(storage, { project: acme })
    const before = await records(storage)
    const fork = await sessions.fork("ses_e1e7b4380ffeCRbISPap4RUd3a")
    await sessions.create({ parentID: fork.id })
    expect((await records(storage)).length).toBeGreaterThan(before.length)
    await sessions.remove(fork.id)
    expect(await records(storage)).toEqual(before)
  })
})

/** A question, and an answer that calls a tool. */
async function useTool(sessions: Sessions, sessionID: string, output: string): Promise<void> {
  const { info } = await sessions.messages.add(sessionID, question)
  const time = { start: 1, end: 2 }
  const state = { status: "completed", input: {}, output, title: "", metadata: {}, time } as const
  const call = { type: "tool", callID: "call_1", tool: "bash", state } as const
  await sessions.messages.add(sessionID, answer(info.id), [call])
}

function isMarked(part: Part): boolean {
  return part.type === "tool" && part.state.status === "completed" && part.state.time?.compacted !== undefined
}

import { describe, expect, it } from "vitest"
import type { StorageError } from "../storage/storage-error.js"
import { filterCompacted } from "./filter-compacted.js"
import { sessionIndexEntry } from "./session-index.js"
import { copyStore, readSession, readStore } from "./testing/store.js"
import { gather, Workbench } from "./testing/workbench.js"
import { transcript } from "./transcript.js"
import { UsageTotals } from "./usage-totals.js"

const acme = { id: "a08918a10ff26f65d55fc0bead5534907d8df481", worktree: "/home/dev/code/acme", vcs: "git" }

describe("history", () => {
  it("begins with the last compaction of a real session", async () => {
    const { session, messages } = readSession("v1.1.65", "Compacted")
    const bench = new Workbench({ storage: await copyStore("v1.1.65"), project: acme })
    const history = await bench.sessions.history(session.id)
    expect(history.length).toBeLessThan(messages.length)
    expect(history).toEqual(await filterCompacted(backwards(messages)))
  })
})

describe("transcript", () => {
  it("is that of all messages", async () => {
    const { session, messages } = readSession("v1.1.65", "Errors")
    const bench = new Workbench({ storage: await copyStore("v1.1.65"), project: acme })
    expect(await bench.sessions.transcript(session.id)).toEqual(transcript(messages))
  })
})

describe("index", () => {
  it("sums up real sessions, newest first, without children unless asked for", async () => {
    const stored = readStore("v1.1.65").sort((a, b) => b.session.time.updated - a.session.time.updated)
    const bench = new Workbench({ storage: await copyStore("v1.1.65"), project: acme })
    const entries = stored
      .filter(({ session }) => session.parentID === undefined && !session.time.archived)
      .map(({ session, messages }) => sessionIndexEntry(session, messages))
    expect(await gather(bench.sessions.index())).toEqual(entries)
    expect(entries.some(({ firstUserText }) => firstUserText !== undefined)).toBe(true)
    expect(await gather(bench.sessions.index({ roots: false, archived: "include" }))).toHaveLength(
      stored.length,
    )
    expect(await gather(bench.sessions.index({ limit: 2 }))).toHaveLength(2)
  })
})

describe("usage", () => {
  it("adds up the answers of a real store by session, project, model and day", async () => {
    const bench = new Workbench({ storage: await copyStore("v1.1.65"), project: acme })
    const expected = new UsageTotals()
    const newestFirst = readStore("v1.1.65").reverse()
    for (const { session, messages } of newestFirst) {
      for (const { info } of messages) expected.add(session, info)
    }
    const totals = await bench.sessions.usage()
    expect(totals.total()).toEqual(expected.total())
    for (const dimension of ["session", "project", "model", "day"] as const) {
      expect(new Map([...totals.by(dimension)].sort())).toEqual(new Map([...expected.by(dimension)].sort()))
    }
  })

  it("can be that of one session, of one project, or of all", async () => {
    const { sessions, storage } = new Workbench()
    const message = { role: "assistant", providerID: "p", modelID: "m", cost: 1 }
    for (const [projectID, count] of Object.entries({ acme: 70, other: 3 })) {
      for (let index = 0; index < count; index++) {
        const id = `ses_${projectID}${index}`
        await storage.write(["session", projectID, id], { title: "", time: { created: 1, updated: 1 } })
        await storage.write(["message", id, "msg_1"], { ...message, time: { created: 2 + index } })
      }
    }
    expect((await sessions.usage()).total().cost).toBe(70)
    expect((await sessions.usage({ allProjects: true })).total().cost).toBe(73)
    expect((await sessions.usage({ sessionID: "ses_acme5" })).total().cost).toBe(1)
    await expect(sessions.usage({ sessionID: "ses_other1" })).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("rejects at a damaged record, or tells onCorrupt and goes on", async () => {
    const bench = new Workbench()
    const { sessionID } = await bench.conversation()
    await bench.storage.write(["message", sessionID, "msg_bad"], {})
    await expect(bench.sessions.usage()).rejects.toMatchObject({ code: "CORRUPT" })
    const problems: StorageError[] = []
    const totals = await bench.sessions.usage({ onCorrupt: (error) => problems.push(error) })
    expect(totals.total().messages).toBe(1)
    expect(problems).toHaveLength(1)
  })
})

async function* backwards<T>(items: readonly T[]): AsyncGenerator<T, void, void> {
  yield* items.toReversed()
}

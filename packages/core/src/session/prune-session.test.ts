import { describe, expect, it } from "vitest"
import { MemoryStorage } from "../storage/memory-storage.js"
import type { Operation } from "../storage/storage.js"
import { toModelMessages } from "./model-messages.js"
import { model } from "./testing/records.js"
import { answer, question, Workbench } from "./testing/workbench.js"

const LONG = "word".repeat(30_000)

describe("prune", () => {
  it("marks old outputs in one batch, and tells of each once they are stored", async () => {
    const storage = new WatchedStorage()
    const bench = new Workbench({ storage })
    const sessionID = await talk(bench, [LONG, LONG, LONG, "", ""])
    bench.events.length = 0
    const batches: { operations: number; eventsBefore: number }[] = []
    storage.onStored = (operations) => batches.push({ operations, eventsBefore: bench.events.length })
    bench.now++
    const pruned = await bench.sessions.prune(sessionID)
    expect(pruned.map(({ state }) => state.time.compacted)).toEqual([bench.now, bench.now])
    expect(batches).toEqual([{ operations: 2, eventsBefore: 0 }])
    expect(bench.events).toEqual(
      pruned.map((part) => ({ type: "message.part.updated", properties: { part } })),
    )
    for (const part of pruned) expect(await bench.sessions.parts.get(part)).toEqual(part)
    const shown = JSON.stringify(toModelMessages(await bench.sessions.history(sessionID), { model }))
    expect(shown.split(LONG)).toHaveLength(2)
  })

  it("finds nothing more to mark the next time, and then changes nothing", async () => {
    const bench = new Workbench()
    const sessionID = await talk(bench, [LONG, LONG, LONG, "", ""])
    await bench.sessions.prune(sessionID)
    const before = await bench.records()
    bench.now++
    expect(await bench.sessions.prune(sessionID)).toEqual([])
    expect(await bench.records()).toEqual(before)
  })

  it("refuses a session that is not there", async () => {
    const prune = new Workbench().sessions.prune("ses_unknown")
    await expect(prune).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

/** A session with a turn for each output of a tool. */
async function talk(bench: Workbench, outputs: readonly string[]): Promise<string> {
  const { id: sessionID } = await bench.sessions.create()
  for (const output of outputs) {
    bench.now++
    const { info } = await bench.sessions.messages.add(sessionID, question, [{ type: "text", text: "Go on" }])
    bench.now++
    const time = { start: 1, end: 2 }
    const state = { status: "completed", input: {}, output, title: "", metadata: {}, time } as const
    await bench.sessions.messages.add(sessionID, answer(info.id), [
      { type: "tool", callID: "call_1", tool: "bash", state },
    ])
  }
  return sessionID
}

/** Calls back when a batch has been stored, before the caller hears of it. */
class WatchedStorage extends MemoryStorage {
  onStored: (operations: number) => void = () => undefined

  override async batch(operations: readonly Operation[]): Promise<void> {
    await super.batch(operations)
    this.onStored(operations.length)
  }
}

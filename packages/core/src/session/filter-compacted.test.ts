import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareMessages } from "../identifier/compare.js"
import { filterCompacted } from "./filter-compacted.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { assistant, part, text, user, withParts } from "./testing/records.js"
import { readSession } from "./testing/store.js"

const compaction = part({ type: "compaction", auto: false })

describe("filterCompacted", () => {
  it("begins with the compaction of a real session", async () => {
    const { messages } = readSession("v1.1.65", "Compacted")
    expect(messages.length).toBe(8)
    expect(await filter(messages)).toEqual(messages.slice(4))
  })

  it("gives all of a real session that crosses the wrap of ids and was never compacted", async () => {
    const { messages } = readSession("v1.1.65-id-wrap", "A generated title 1")
    expect(await filter(messages)).toEqual(messages)
  })

  it("stops at a compaction whose id sorts after those of the messages that follow", async () => {
    const history = [
      withParts(user({ id: "msg_ffffd57a8001aaaaaaaaaaaaaa", time: { created: 1 } }), text("old")),
      withParts(user({ id: "msg_ffffeb753001aaaaaaaaaaaaaa", time: { created: 2 } }), compaction),
      withParts(
        assistant({
          id: "msg_000008c17001aaaaaaaaaaaaaa",
          parentID: "msg_ffffeb753001aaaaaaaaaaaaaa",
          time: { created: 3 },
          summary: true,
          finish: "stop",
        }),
      ),
      withParts(user({ id: "msg_000008c18001aaaaaaaaaaaaaa", time: { created: 4 } }), text("new")),
    ]
    expect(await filter(history)).toEqual(history.slice(1))
  })

  it("reads nothing older than the compaction", async () => {
    const { messages } = readSession("v1.1.65", "Compacted")
    let read = 0
    async function* newestFirst() {
      for (const message of messages.toReversed()) {
        read++
        yield message
      }
    }
    await filterCompacted(newestFirst())
    expect(read).toBe(4)
  })

  it.each([
    ["was not finished", { time: { created: 3 } }],
    ["failed", { time: { created: 3, completed: 4 }, error: { name: "APIError" }, finish: "error" }],
    ["is no summary", { summary: false, finish: "stop" }],
    ["answers another message", { parentID: "msg_9", finish: "stop" }],
  ])("does not stop at a compaction whose answer %s", async (_, fields) => {
    const history = [
      withParts(user({ id: "msg_0" }), text("old")),
      withParts(user({ id: "msg_1", time: { created: 2 } }), compaction),
      withParts(assistant({ id: "msg_2", parentID: "msg_1", summary: true, ...fields })),
    ]
    expect(await filter(history)).toEqual(history)
  })

  it("takes a summary without a reason for its end as finished once it has a time", async () => {
    const history = [
      withParts(user({ id: "msg_0" }), text("old")),
      withParts(user({ id: "msg_1", time: { created: 2 } }), compaction),
      withParts(assistant({ parentID: "msg_1", summary: true, time: { created: 3, completed: 4 } })),
    ]
    expect(await filter(history)).toEqual(history.slice(1))
  })

  it("gives what follows the last user message with a compaction and a finished summary, in any history", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const start = history.findLastIndex(
          ({ info, parts }, index) =>
            parts.includes(compaction) &&
            history
              .slice(index)
              .some((later) => later.info.role === "assistant" && answers(later.info, info.id)),
        )
        expect(await filter(history)).toEqual(history.slice(Math.max(start, 0)))
      }),
    )
  })
})

const histories = fc
  .array(
    fc.oneof(
      fc.record({ role: fc.constant("user" as const), compaction: fc.boolean() }),
      fc.record({
        role: fc.constant("assistant" as const),
        summary: fc.boolean(),
        finish: fc.constantFrom(undefined, "stop"),
        failed: fc.boolean(),
        back: fc.integer({ min: 1, max: 4 }),
      }),
    ),
    { maxLength: 20 },
  )
  .map((plan) =>
    plan
      .map((step, index) => {
        const common = { id: `msg_${index}`, time: { created: index } }
        if (step.role === "user") return withParts(user(common), ...(step.compaction ? [compaction] : []))
        const { summary, finish, failed, back } = step
        const parentID = `msg_${index - back}`
        const error = failed ? { name: "APIError" } : undefined
        return withParts(
          assistant({ ...common, parentID, summary, ...(finish && { finish }), ...(error && { error }) }),
        )
      })
      .sort((a, b) => compareMessages(a.info, b.info)),
  )

function answers(info: ReturnType<typeof assistant>, parentID: string): boolean {
  return info.parentID === parentID && info.summary === true && info.finish === "stop" && !info.error
}

function filter(history: readonly MessageWithParts[]): Promise<MessageWithParts[]> {
  async function* newestFirst() {
    yield* history.toReversed()
  }
  return filterCompacted(newestFirst())
}

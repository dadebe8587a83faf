import { describe, expect, it } from "vitest"
import { SessionError } from "../session/session-error.js"
import { NoSnapshots } from "../snapshot/no-snapshots.js"
import { StorageError } from "../storage/storage-error.js"
import type { DriverEvent } from "./model-driver.js"
import { EngineBench, echo, textsOf, toolOf, typesOf } from "./testing/engine-bench.js"
import { FragileStorage } from "./testing/fragile-storage.js"
import { callOf, calls, fails, says, step, textOf, usage } from "./testing/scripted-driver.js"

describe("texts and reasoning", () => {
  it("publishes each piece at once, and stores few versions of the part", async () => {
    const deltas = Array.from(
      { length: 1000 },
      () => ({ type: "text-delta", id: "t", text: "word " }) as const,
    )
    const text: DriverEvent[] = [{ type: "text-start", id: "t" }, ...deltas, { type: "text-end", id: "t" }]
    const storage = new FragileStorage()
    const bench = new EngineBench({ storage, replies: [step("stop", text)] })
    const { answer } = await bench.ask("Talk")
    const told = bench.events.filter(
      ({ type, properties }) => type === "message.part.updated" && "delta" in properties,
    )
    expect(told).toHaveLength(1000)
    expect(textsOf(answer)).toEqual([`${"word ".repeat(999)}word`])
    expect(storage.writes).toBeLessThan(30)
  })

  it("keeps apart what grows at the same time", async () => {
    const events: DriverEvent[] = [
      { type: "reasoning-start", id: "1", providerMetadata: { mock: { a: 1 } } },
      { type: "text-start", id: "1" },
      { type: "text-start", id: "2" },
      { type: "text-delta", id: "2", text: "two" },
      { type: "reasoning-delta", id: "1", text: "thought", providerMetadata: { mock: { a: 2 } } },
      { type: "text-delta", id: "1", text: "one" },
      { type: "reasoning-end", id: "1" },
      { type: "text-end", id: "2" },
      { type: "text-end", id: "1", providerMetadata: { mock: { signature: "s" } } },
    ]
    const bench = new EngineBench({ replies: [step("stop", events)] })
    const { answer } = await bench.ask("Talk")
    expect(answer.parts.slice(1, 4)).toMatchObject([
      { type: "reasoning", text: "thought", metadata: { mock: { a: 2 } } },
      { type: "text", text: "one", metadata: { mock: { signature: "s" } } },
      { type: "text", text: "two" },
    ])
    expect(answer.parts[3]).not.toHaveProperty("metadata")
  })

  it("lets plugins change a text that is complete", async () => {
    const bench = new EngineBench({
      plugins: [
        {
          "experimental.text.complete": (_, output) => {
            output.text = output.text.toUpperCase()
          },
        },
      ],
      replies: [says("quietly ")],
    })
    expect(textsOf((await bench.ask("Talk")).answer)).toEqual(["QUIETLY"])
  })
})

describe("steps", () => {
  it("note snapshots, and a patch when files changed", async () => {
    const hashes = ["one", "two", "two", "two"]
    const snapshots = new (class extends NoSnapshots {
      override track = async () => hashes.shift() as never
      override patch = async (hash: string) => ({
        hash,
        files: hash === "one" ? ["/home/dev/acme/a.txt"] : [],
      })
    })()
    const bench = new EngineBench({
      tools: [echo],
      snapshots,
      replies: [calls("echo", { text: "" }), says("Done")],
    })
    const { sessionID } = await bench.ask("Change")
    const [, first, second] = await bench.sessions.messages.load(sessionID)
    expect(first?.parts).toMatchObject([
      { type: "step-start", snapshot: "one" },
      { type: "tool" },
      { type: "step-finish", snapshot: "two", reason: "tool-calls" },
      { type: "patch", hash: "one", files: ["/home/dev/acme/a.txt"] },
    ])
    expect(second && typesOf(second)).toEqual(["step-start", "text", "step-finish"])
    expect(bench.events.some(({ type }) => type === "session.diff")).toBe(true)
  })

  it("an error in a snapshot ends the answer, and is stored in it", async () => {
    const snapshots = new (class extends NoSnapshots {
      override track = async () => {
        throw new Error("No space left for snapshots")
      }
    })()
    const bench = new EngineBench({ snapshots, replies: [says("Never said")] })
    const { answer } = await bench.ask("Go")
    expect(answer.info).toMatchObject({
      error: { name: "UnknownError", data: { message: "No space left for snapshots" } },
      time: { completed: bench.now + 1 },
    })
  })

  it("cache marks and plugins shape the request", async () => {
    const bench = new EngineBench({
      plugins: [
        {
          "chat.message": (_, output) => {
            output.parts.push({ ...output.parts[0], id: "prt_hook", type: "text", text: "Added" } as never)
          },
          "chat.params": ({ agent }, output) => {
            output.topK = agent.name.length
            output.options.effort = "low"
          },
          "experimental.chat.system.transform": (_, output) => {
            output.system.push("Hooked system")
          },
          "experimental.chat.messages.transform": (_, output) => {
            output.messages.reverse()
          },
        },
      ],
      replies: [says("Yes")],
    })
    await bench.ask("First")
    expect(bench.driver.requests[0]).toMatchObject({
      topK: 5,
      providerOptions: { effort: "low" },
      messages: [
        { role: "system", content: "Hooked system" },
        { role: "user", content: [{ text: "First" }, { text: "Added" }] },
      ],
    })
  })
})

describe("a store that fails", () => {
  it("makes the run reject, ends its tools, and the next run completes what was left", async () => {
    const storage = new FragileStorage()
    let isEnded = false
    const bench = new EngineBench({
      storage,
      tools: [
        toolOf("waits", (_, { signal }) => {
          return new Promise((_, reject) => {
            signal.addEventListener("abort", () => {
              isEnded = true
              reject(signal.reason)
            })
          })
        }),
      ],
      replies: [
        async function* () {
          yield* callOf("waits", {})
          storage.isFull = true
          yield* textOf("lost")
        },
        says("Back again"),
      ],
    })
    const { id } = await bench.sessions.create()
    await expect(bench.prompt(id, "Go")).rejects.toSatisfy((error) => StorageError.is(error, "FULL"))
    expect(isEnded).toBe(true)
    expect(bench.engine.status(id)).toEqual({ type: "idle" })
    storage.isFull = false
    expect(textsOf((await bench.engine.resume(id)) as never)).toEqual(["Back again"])
  })

  it("a session that is removed meanwhile makes the run reject", async () => {
    const bench: EngineBench = new EngineBench({
      replies: [
        async function* (request) {
          await bench.sessions.remove(request.sessionID)
          yield* says("To whom?")
        },
      ],
    })
    await expect(bench.ask("Go")).rejects.toSatisfy((error) => SessionError.is(error, "NOT_FOUND"))
  })
})

it("usage of several steps of one stream adds up in cost", async () => {
  const bench = new EngineBench({
    replies: [
      [...step("tool-calls"), { type: "start-step" }, { type: "finish-step", finishReason: "stop", usage }],
    ],
  })
  const { answer } = await bench.ask("Twice")
  expect(answer.info).toMatchObject({ finish: "stop", cost: 0.00729, tokens: { input: 900 } })
})

it("a driver that throws at once is stored as an error", async () => {
  const bench = new EngineBench({ replies: [fails(new TypeError("fetch failed"))] })
  const { answer } = await bench.ask("Go")
  expect(answer.info).toMatchObject({ error: { name: "UnknownError", data: { message: "fetch failed" } } })
  expect(answer.parts).toEqual([])
})

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { compareParts } from "@sessile/core/identifier"
import { Message, Part, type Session } from "@sessile/core/model"
import { copyFixture } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "../json-storage.js"
import { gather } from "../testing/gather.js"
import { splitMessage } from "./legacy-message.js"
import { LegacyStorage } from "./legacy-storage.js"
import { migrate } from "./migrate.js"

const ids = { session: "ses_1", message: "msg_1eda0890c001TfZLMisqf2SQuJ" }
const owner = { sessionID: ids.session, messageID: ids.message }

describe("the store of 0.1.174, whose parts are inside the messages", () => {
  test("becomes messages and parts that are valid today, with all their texts", async () => {
    await using data = await copyFixture("v0.1.174")
    await using legacy = await LegacyStorage.open({ path: data.path })
    expect(legacy.remarks).toEqual([])
    const messages = await gather(legacy.scan<Message>(["message"]))
    const parts = await gather(legacy.scan<Part>(["part"]))
    expect(await gather(legacy.scan<Session>(["session"]))).toHaveLength(5)
    expect(messages).toHaveLength(10)
    for (const { key, value } of messages) {
      expect(Message.parse(value)).toMatchObject({
        id: key[2],
        sessionID: key[1],
        time: { created: expect.any(Number) },
      })
      expect(value).not.toHaveProperty("parts")
      expect(value).not.toHaveProperty("metadata")
    }
    for (const { key, value } of parts)
      expect(Part.parse(value)).toMatchObject({ messageID: key[1], id: key[2] })
    const texts = parts.flatMap(({ value }) => (value.type === "text" ? value.text : []))
    expect(texts.toSorted()).toEqual((await textsIn(join(data.path, "project"))).toSorted())
    expect(parts.filter(({ value }) => value.type === "tool")).toHaveLength(2)
  })

  test("has in its answers what they cost, where they were given, and what went wrong", async () => {
    await using data = await copyFixture("v0.1.174")
    await using legacy = await LegacyStorage.open({ path: data.path })
    const messages = await gather(legacy.scan<Message & { role: "assistant" }>(["message"]))
    const answers = messages.map(({ value }) => value).filter(({ role }) => role === "assistant")
    for (const answer of answers) {
      expect(answer).toMatchObject({
        providerID: "mock",
        modelID: "large",
        mode: "build",
        cost: 0,
        path: { cwd: expect.stringContaining("/home/dev/"), root: expect.stringContaining("/home/dev/") },
        time: { completed: expect.any(Number) },
      })
    }
    expect(answers.map(({ tokens }) => tokens.input).toSorted()).toEqual([0, 500, 500, 950, 950])
    expect(answers.filter(({ error }) => error !== undefined)).toMatchObject([
      { error: { name: "UnknownError" } },
    ])
  })

  test("is migrated to the same records, once", async () => {
    await using data = await copyFixture("v0.1.174")
    await using legacy = await LegacyStorage.open({ path: data.path })
    const path = join(data.path, "storage")
    const first = await migrate({ path })
    expect(first.remarks).toEqual([])
    await using storage = await JsonStorage.open({ path, readonly: true })
    expect(await gather(storage.scan([]))).toEqual(await gather(legacy.scan([])))
    const again = await migrate({ path: join(data.path, "again"), legacy: join(data.path, "project") })
    expect(again.written).toBe(first.written)
    await using other = await JsonStorage.open({ path: join(data.path, "again"), readonly: true })
    expect(await other.list([])).toEqual(await storage.list([]))
  })
})

describe("a message of the first form", () => {
  const time = { created: 1000, completed: 3000 }
  const call = (state: string, result?: string) => ({
    type: "tool-invocation",
    toolInvocation: { state, toolCallId: `call_${state}`, toolName: "bash", args: { command: "ls" }, result },
  })

  test("has tools in every state, with what they reported", () => {
    const report = { title: "ls", exit: 0, time: { start: 1500, end: 1600 } }
    const { parts } = split({
      role: "assistant",
      parts: [call("partial-call"), call("call"), call("result", "out")],
      metadata: { time, tool: { call_result: report, call_call: report } },
    })
    const input = { command: "ls" }
    expect(parts.map(({ state }) => state)).toEqual([
      { status: "pending", input, raw: "" },
      { status: "running", input, metadata: { exit: 0 }, time: { start: 1500 } },
      { status: "completed", input, output: "out", title: "ls", metadata: { exit: 0 }, time: report.time },
    ])
    for (const part of parts) expect(Part.parse(part)).toMatchObject({ type: "tool", tool: "bash", ...owner })
  })

  test("whose tools reported nothing gets what a part must have from its own times", () => {
    const { parts } = split({ role: "assistant", parts: [call("result", "out")], metadata: { time } })
    expect(parts).toMatchObject([
      { callID: "call_result", state: { title: "", time: { start: 1000, end: 3000 } } },
    ])
    for (const part of parts) expect(Part.parse(part)).toBeDefined()
  })

  test("keeps its files and reasoning", () => {
    const file = { type: "file", mediaType: "image/png", filename: "a.png", url: "data:image/png;base64," }
    const reasoning = { type: "reasoning", text: "hm", providerMetadata: { mock: 1 } }
    const { parts } = split({ role: "user", parts: [file, reasoning], metadata: { time: { created: 1000 } } })
    expect(parts).toMatchObject([
      { type: "file", mime: "image/png", filename: "a.png", url: file.url },
      { type: "reasoning", text: "hm", metadata: { mock: 1 }, time: { start: 1000, end: 1000 } },
    ])
    for (const part of parts) expect(Part.parse(part)).toBeDefined()
  })

  test("keeps what has no place today, and says so", () => {
    const odd = [{ type: "source-url", url: "https://example.com" }, call("unheard-of"), 5]
    const metadata = { time, tool: { call_gone: { title: "?" } }, user: { snapshot: "abc" } }
    const { message, parts, remark } = split({ role: "user", parts: odd, metadata })
    expect(parts).toEqual([])
    expect(message.metadata).toEqual({
      user: { snapshot: "abc" },
      tool: { call_gone: { title: "?" } },
      parts: odd,
    })
    expect(remark).toContain("3 of its parts")
  })

  test("without a list of parts is converted all the same, and says so", () => {
    const { message, parts, remark } = split({ role: "user", partz: [1], metadata: { time } })
    expect(message).toEqual({ id: ids.message, sessionID: ids.session, role: "user", time, partz: [1] })
    expect(parts).toEqual([])
    expect(remark).toContain("no list of parts")
  })

  test("has parts whose ids are in their order, however many there are", () => {
    const texts = Array.from({ length: 120 }, (_, index) => ({ type: "text", text: String(index) }))
    const { parts } = split({ role: "user", parts: texts, metadata: { time } })
    expect(
      parts
        .toReversed()
        .toSorted(compareParts)
        .map(({ text }) => text),
    ).toEqual(texts.map(({ text }) => text))
  })
})

test("a message of the second form has its parts as they are, and the ids of tools as callID", () => {
  const message = { id: ids.message, role: "assistant", sessionID: "ses_1", time: { created: 1 } }
  const tool = { type: "tool", id: "call_1", tool: "bash", state: { status: "pending", input: {}, raw: "" } }
  const converted = split({
    ...message,
    parts: [{ type: "text", text: "a" }, tool, { ...tool, id: "prt_1" }],
  })
  expect(converted.message).toEqual(message)
  expect(converted.parts).toMatchObject([
    { type: "text", text: "a", ...owner },
    { type: "tool", callID: "call_1", ...owner },
    { type: "tool", id: "prt_1", ...owner },
  ])
  for (const part of converted.parts) expect(Part.parse(part)).toBeDefined()
})

test.each([
  ["without parts", { role: "user", metadata: {} }],
  ["whose parts are no list", { role: "user", parts: "?" }],
  ["that is no object", ["parts"]],
])("a message %s stays as it is", (_, value) => {
  expect(splitMessage(Buffer.from(JSON.stringify(value)), ids)).toBeUndefined()
})

test("a damaged message with parts stays as it is", () => {
  expect(splitMessage(Buffer.from('{"parts": ['), ids)).toBeUndefined()
})

function split(value: object) {
  const found = splitMessage(Buffer.from(JSON.stringify(value)), ids)
  return {
    message: JSON.parse(found?.message ?? "null"),
    parts: (found?.parts ?? []).map(({ text }) => JSON.parse(text)),
    remark: found?.remark,
  }
}

/** The texts of all parts, as the files have them. */
async function textsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /message.*\.json$/.test(name))
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  return files.flatMap((file) =>
    (JSON.parse(file).parts as { type: string; text: string }[]).flatMap(({ type, text }) =>
      type === "text" ? text : [],
    ),
  )
}

import { answer, end, finish, inOrder, pause, reasoning, text, toolCall, usage } from "@sessile/model-server"
import { describe, expect, test } from "vitest"
import { connect } from "./testing/connect.js"
import { read, requestOf } from "./testing/requests.js"

const tools = [{ name: "bash", description: "Runs a command", inputSchema: { type: "object" } }]

test("reasoning and text come in pieces, and the step ends with reason and usage", async () => {
  await using connection = await connect(() =>
    answer(
      reasoning("The user ", "greets."),
      text("Hel", "lo"),
      usage({ input: 1201, output: 51, cached: 300, reasoning: 7 }),
    ),
  )
  expect(await read(connection.driver)).toEqual([
    { type: "start" },
    { type: "start-step" },
    { type: "reasoning-start", id: "reasoning-0" },
    { type: "reasoning-delta", id: "reasoning-0", text: "The user " },
    { type: "reasoning-delta", id: "reasoning-0", text: "greets." },
    { type: "reasoning-end", id: "reasoning-0" },
    { type: "text-start", id: "txt-0" },
    { type: "text-delta", id: "txt-0", text: "Hel" },
    { type: "text-delta", id: "txt-0", text: "lo" },
    { type: "text-end", id: "txt-0" },
    {
      type: "finish-step",
      finishReason: "stop",
      usage: {
        inputTokens: 1201,
        outputTokens: 51,
        totalTokens: 1252,
        reasoningTokens: 7,
        cachedInputTokens: 300,
      },
      providerMetadata: { mock: {} },
    },
    { type: "finish" },
  ])
})

test("calls of tools are left to the engine, in their order", async () => {
  await using connection = await connect(() =>
    answer(text("Look."), toolCall("bash", { command: "ls" }), toolCall("bash", { command: "pwd" })),
  )
  const events = await read(connection.driver, requestOf({ tools }))

  expect(connection.server.requests).toHaveLength(1)
  expect(events.filter(({ type }) => type.startsWith("tool-"))).toEqual([
    { type: "tool-input-start", id: "call_1", toolName: "bash" },
    { type: "tool-input-delta", id: "call_1", delta: '{"comman' },
    { type: "tool-input-delta", id: "call_1", delta: 'd":"ls"}' },
    { type: "tool-input-start", id: "call_2", toolName: "bash" },
    { type: "tool-input-delta", id: "call_2", delta: '{"command' },
    { type: "tool-input-delta", id: "call_2", delta: '":"pwd"}' },
    { type: "tool-input-end", id: "call_1" },
    { type: "tool-call", toolCallID: "call_1", toolName: "bash", input: { command: "ls" } },
    { type: "tool-input-end", id: "call_2" },
    { type: "tool-call", toolCallID: "call_2", toolName: "bash", input: { command: "pwd" } },
  ])
  expect(events.at(-2)).toMatchObject({ type: "finish-step", finishReason: "tool-calls" })
})

describe("a call that cannot be run", () => {
  test("comes with the input as the model wrote it, where that is no JSON", async () => {
    await using connection = await connect(() => answer(toolCall("bash", '{"command": ls}')))
    const events = await read(connection.driver, requestOf({ tools }))
    expect(events.filter(({ type }) => type === "tool-call" || type === "tool-error")).toEqual([
      { type: "tool-call", toolCallID: "call_1", toolName: "bash", input: '{"command": ls}' },
    ])
  })

  test("comes with its input, where there is no such tool", async () => {
    await using connection = await connect(() => answer(toolCall("fly", { to: "Rome" })))
    for (const known of [tools, []]) {
      const events = await read(connection.driver, requestOf({ tools: known }))
      expect(events.filter(({ type }) => type === "tool-call" || type === "tool-error")).toMatchObject([
        { type: "tool-call", toolName: "fly", input: { to: "Rome" } },
      ])
    }
  })

  test("is not checked against the schema, which is for the engine", async () => {
    await using connection = await connect(() => answer(toolCall("bash", { command: 7 })))
    const inputSchema = { type: "object", properties: { command: { type: "string" } } }
    const strict = [{ name: "bash", description: "Runs a command", inputSchema }]
    const events = await read(connection.driver, requestOf({ tools: strict }))
    expect(events.find(({ type }) => type === "tool-call")).toMatchObject({ input: { command: 7 } })
  })
})

test.each([
  ["length", "length"],
  ["content_filter", "content-filter"],
  ["weird", "other"],
])("the finish reason %s is given as %s", async (reason, expected) => {
  await using connection = await connect(() => answer(text("So"), finish(reason)))
  const events = await read(connection.driver)
  expect(events.find(({ type }) => type === "finish-step")).toMatchObject({ finishReason: expected })
})

test("an answer without usage is counted by nobody", async () => {
  await using connection = await connect(() => answer(text("So")))
  const events = await read(connection.driver)
  const step = events.find((event) => event.type === "finish-step")
  expect(Object.values(step?.usage ?? {}).every((count) => count === undefined)).toBe(true)
})

test("events come as soon as the provider has sent them", async () => {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await using connection = await connect(() =>
    answer(
      text("drip"),
      pause(() => released),
      text("drop"),
    ),
  )
  const events = await read(connection.driver, requestOf(), (event) => {
    if (event.type === "text-delta") release()
  })
  expect(events.flatMap((event) => (event.type === "text-delta" ? event.text : []))).toEqual(["drip", "drop"])
})

test("requests side by side do not mix", async () => {
  await using connection = await connect(({ messages }) => answer(text(...String(messages[0]?.content))))
  const answers = await Promise.all(
    ["one", "two", "three"].map(async (word) => {
      const messages = [{ role: "user", content: [{ type: "text", text: word }] }] as const
      const events = await read(connection.driver, requestOf({ messages }))
      return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("")
    }),
  )
  expect(answers).toEqual(["one", "two", "three"])
})

test("a driver keeps nothing between two requests", async () => {
  await using connection = await connect(inOrder(answer(text("one"), end()), answer(text("two"))))
  await expect(read(connection.driver)).rejects.toThrow()
  expect(await read(connection.driver)).toContainEqual({ type: "text-delta", id: "txt-0", text: "two" })
})

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Part } from "../model/part.js"
import type { ToolState } from "../model/tool-state.js"
import type { ModelMessage } from "./model-message.js"
import { toModelMessages } from "./model-messages.js"
import { assistant, model, part, text, tool, user, withParts } from "./testing/records.js"
import { readSession, readStore } from "./testing/store.js"

const other = { providerID: "openai", modelID: "large" }
const aborted = { name: "MessageAbortedError", data: { message: "stop" } }
const stepStart = part({ type: "step-start" })
const reasoning = part({ type: "reasoning", text: "hm" })

describe("a user message", () => {
  it("keeps texts, synthetic ones too, and loses what is ignored or blank", () => {
    const parts = [
      text("say"),
      part({ type: "text", text: "added", synthetic: true }),
      part({ type: "text", text: "hidden", ignored: true }),
      text(" \n"),
    ]
    expect(fromUser(...parts)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "say" },
          { type: "text", text: "added" },
        ],
      },
    ])
  })

  it("keeps files, except texts and folders, which are given as text beside them", () => {
    const url = "data:image/png;base64,AA=="
    const parts = [
      part({ type: "file", mime: "image/png", filename: "dot.png", url }),
      part({ type: "file", mime: "application/pdf", url: "data:application/pdf;base64,AA==" }),
      part({ type: "file", mime: "text/plain", url: "file:///a.txt" }),
      part({ type: "file", mime: "application/x-directory", url: "file:///a" }),
    ]
    expect(fromUser(...parts)).toEqual([
      {
        role: "user",
        content: [
          { type: "file", data: url, mediaType: "image/png", filename: "dot.png" },
          { type: "file", data: "data:application/pdf;base64,AA==", mediaType: "application/pdf" },
        ],
      },
    ])
  })

  it("says what a compaction and a subtask stand for", () => {
    const subtask = part({ type: "subtask", prompt: "p", description: "d", agent: "general" })
    expect(fromUser(part({ type: "compaction", auto: true }), subtask)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What did we do so far?" },
          { type: "text", text: "The following tool was executed by the user" },
        ],
      },
    ])
  })

  it("is left out when nothing remains", () => {
    expect(fromUser()).toEqual([])
    expect(fromUser(part({ type: "agent", name: "general" }), text(""))).toEqual([])
  })
})

describe("an answer", () => {
  it("has the results of a step before what the next step says", () => {
    const parts = [stepStart, text("I look."), tool("a b"), stepStart, reasoning, text("Found.")]
    expect(fromAssistant({}, ...parts)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "call_1", toolName: "bash", input: { command: "ls" } },
        ],
      },
      { role: "tool", content: [result({ type: "text", value: "a b" })] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "Found." },
        ],
      },
    ])
  })

  it.each<[string, ToolState, object]>([
    [
      "the reason when a tool failed",
      { status: "error", input: {}, error: "no such file", time: { start: 1, end: 2 } },
      { type: "error-text", value: "no such file" },
    ],
    [
      "that a running tool was interrupted",
      { status: "running", input: {}, time: { start: 1 } },
      { type: "error-text", value: "[interrupted]" },
    ],
    [
      "that a pending tool was interrupted, even before it had an input",
      { status: "pending" },
      { type: "error-text", value: "[interrupted]" },
    ],
    [
      "a note in place of an output that was cleared, and no attachments",
      {
        status: "completed",
        input: {},
        output: "long",
        time: { start: 1, end: 2, compacted: 3 },
        attachments: [picture()],
      },
      { type: "text", value: "[Old tool result content cleared]" },
    ],
    [
      "attachments beside the output",
      { status: "completed", input: {}, output: "seen", attachments: [picture()] },
      {
        type: "content",
        value: [
          { type: "text", text: "seen" },
          { type: "file", data: "data:image/png;base64,AA==", mediaType: "image/png" },
        ],
      },
    ],
  ])("gives as result %s", (_, state, output) => {
    const call = part({ type: "tool", callID: "call_1", tool: "bash", state })
    const [answer, results] = fromAssistant({}, call)
    expect(answer?.content).toEqual([
      { type: "tool-call", toolCallId: "call_1", toolName: "bash", input: {} },
    ])
    expect(results).toEqual({ role: "tool", content: [result(output)] })
  })

  it("is left out when it failed, whatever it says", () => {
    expect(
      fromAssistant({ error: { name: "APIError", data: { message: "overloaded" } } }, text("so")),
    ).toEqual([])
  })

  it("stays when it was aborted after it had said or done something", () => {
    expect(fromAssistant({ error: aborted }, reasoning, text("so"))).toHaveLength(1)
    expect(fromAssistant({ error: aborted }, reasoning, tool("done"))).toHaveLength(2)
    expect(
      fromAssistant({ error: { name: "MessageAbortedError", message: "flat" } }, text("so")),
    ).toHaveLength(1)
  })

  it("is left out when it was aborted before that", () => {
    const patch = part({ type: "patch", hash: "abc", files: [] })
    expect(fromAssistant({ error: aborted }, stepStart, reasoning, text(" "), patch)).toEqual([])
  })

  it("is left out when nothing remains", () => {
    const end = part({ type: "step-finish", cost: 0, tokens: assistant().tokens })
    expect(fromAssistant({}, stepStart, text(""), end)).toEqual([])
  })

  it("loses texts marked ignored", () => {
    expect(fromAssistant({}, part({ type: "text", text: "notice", ignored: true }))).toEqual([])
  })

  const noted = [
    part({ type: "reasoning", text: "hm", metadata: { anthropic: { signature: "abc" } } }),
    part({ type: "reasoning", text: "", metadata: { anthropic: { redactedData: "xyz" } } }),
    part({ type: "text", text: "so", metadata: { anthropic: { id: 1 } } }),
    { ...tool("done"), metadata: { anthropic: { id: 2 } } } as Part,
  ]

  it("takes the provider's notes along to the model that gave it", () => {
    const [answer] = toModelMessages([withParts(assistant(), ...noted)], { model })
    expect(answer?.content).toEqual([
      { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "abc" } } },
      { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "xyz" } } },
      { type: "text", text: "so", providerOptions: { anthropic: { id: 1 } } },
      {
        type: "tool-call",
        toolCallId: "call_1",
        toolName: "bash",
        input: { command: "ls" },
        providerOptions: { anthropic: { id: 2 } },
      },
    ])
  })

  it.each([other, { ...model, modelID: "small" }, { ...model, providerID: "bedrock" }])(
    "leaves the provider's notes behind for another model, %o, and what was nothing else",
    (asked) => {
      const [answer] = toModelMessages([withParts(assistant(), ...noted)], { model: asked })
      expect(answer?.content).toEqual([
        { type: "reasoning", text: "hm" },
        { type: "text", text: "so" },
        { type: "tool-call", toolCallId: "call_1", toolName: "bash", input: { command: "ls" } },
      ])
    },
  )
})

describe("a conversation", () => {
  it("of a real session with attachments keeps its picture and its synthetic texts", () => {
    const [asked] = toModelMessages(readSession("v1.1.65", "Attachments").messages, { model })
    expect(asked?.content).toMatchObject([
      { type: "text", text: "look" },
      { type: "file", mediaType: "image/png", filename: "dot.png" },
      { type: "text" },
      { type: "text" },
      { type: "text" },
    ])
  })

  it.each(["v1.0.61", "v1.1.65", "v1.1.65-id-wrap"] as const)(
    "of the store %s answers every call",
    (store) => {
      const conversations = readStore(store).map(({ messages }) => toModelMessages(messages, { model }))
      expect(conversations.flat().filter(({ role }) => role === "tool")).not.toEqual([])
      for (const messages of conversations) expectAnsweredCalls(messages)
    },
  )

  it("answers every call, whatever was stored", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(infos, fc.array(parts, { maxLength: 6 }))), (history) => {
        const messages = history.map(([info, stored]) => withParts(info, ...stored))
        for (const asked of [model, other]) {
          const converted = toModelMessages(messages, { model: asked })
          expectAnsweredCalls(converted)
          expect(converted.filter(({ content }) => content.length === 0)).toEqual([])
        }
      }),
    )
  })
})

const infos = fc.constantFrom(
  user(),
  assistant(),
  assistant({ ...other }),
  assistant({ error: aborted }),
  assistant({ error: { name: "APIError" } }),
)

const states: fc.Arbitrary<ToolState> = fc.constantFrom<ToolState>(
  { status: "pending" },
  { status: "running", input: {}, time: { start: 1 } },
  { status: "completed", input: {}, output: "" },
  { status: "completed", input: {}, output: "out", time: { start: 1, end: 2, compacted: 3 } },
  { status: "completed", input: {}, output: "", attachments: [picture()] },
  { status: "error", input: {}, error: "no", time: { start: 1, end: 2 } },
)

const parts = fc.oneof(
  fc.constantFrom(stepStart, reasoning, text("a"), text(""), part({ type: "compaction", auto: true })),
  fc
    .tuple(fc.nat(3), states)
    .map(([call, state]) => part({ type: "tool", callID: `call_${call}`, tool: "bash", state })),
)

function expectAnsweredCalls(messages: readonly ModelMessage[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") expect(messages[index - 1]?.role).toBe("assistant")
    if (message.role !== "assistant") continue
    const calls = message.content.filter(({ type }) => type === "tool-call")
    const next = messages[index + 1]
    const results = next?.role === "tool" ? next.content : []
    expect(results.map(callId)).toEqual(calls.map(callId))
  }
}

function callId(content: object): unknown {
  return "toolCallId" in content ? content.toolCallId : undefined
}

function result(output: object): object {
  return { type: "tool-result", toolCallId: "call_1", toolName: "bash", output }
}

function picture() {
  const url = "data:image/png;base64,AA=="
  return {
    id: "prt_9",
    sessionID: "ses_1",
    messageID: "msg_1",
    type: "file" as const,
    mime: "image/png",
    url,
  }
}

function fromUser(...stored: Part[]): ModelMessage[] {
  return toModelMessages([withParts(user(), ...stored)], { model })
}

function fromAssistant(fields: Parameters<typeof assistant>[0], ...stored: Part[]): ModelMessage[] {
  return toModelMessages([withParts(assistant(fields), ...stored)], { model })
}

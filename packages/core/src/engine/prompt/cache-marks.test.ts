import { describe, expect, it } from "vitest"
import type { ModelMessage } from "../../session/model-message.js"
import type { Model } from "../model.js"
import type { RequestMessage } from "../model-driver.js"
import { withCacheMarks } from "./cache-marks.js"

const text = (value: string) => ({ type: "text" as const, text: value })

const messages: readonly ModelMessage[] = [
  { role: "system", content: "one" },
  { role: "system", content: "two" },
  { role: "system", content: "three" },
  { role: "user", content: [text("hello")] },
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "ls", input: {} }] },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "c", toolName: "ls", output: { type: "text", value: "x" } }],
  },
  { role: "user", content: [text("first"), { ...text("last"), providerOptions: { openrouter: { id: 1 } } }] },
]

describe("withCacheMarks", () => {
  it("marks the first two messages of the system and the last two of the conversation", () => {
    const marked = withCacheMarks(messages, model("anthropic", "claude-opus"))
    expect(marked.map(({ providerOptions }) => providerOptions !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
      true,
      true,
    ])
  })

  it.each([
    ["anthropic", { anthropic: { cacheControl: { type: "ephemeral" } } }],
    ["google-vertex-anthropic", { anthropic: { cacheControl: { type: "ephemeral" } } }],
    ["amazon-bedrock", { bedrock: { cachePoint: { type: "default" } } }],
  ])("marks messages themselves for %s", (providerID, mark) => {
    const marked = withCacheMarks(messages, model(providerID, "claude-opus"))
    expect(marked[0]).toEqual({ ...messages[0], providerOptions: mark })
    expect(marked[6]).toEqual({ ...messages[6], providerOptions: mark })
  })

  it.each([
    ["openrouter", "openrouter"],
    ["litellm", "openaiCompatible"],
  ])("marks the last piece of a message for %s, and the message when it has none", (providerID, name) => {
    const mark = { [name]: { cache_control: { type: "ephemeral" } } }
    const marked = withCacheMarks(messages, model(providerID, "anthropic/claude-opus"))
    expect(marked[1]).toEqual({ ...messages[1], providerOptions: mark })
    expect(marked[5]).toEqual({
      role: "tool",
      content: [{ ...(messages[5]?.content[0] as object), providerOptions: mark }],
    })
    expect(marked[6]?.content[0]).toEqual(text("first"))
  })

  it("keeps what a provider has noted on the piece", () => {
    const [last] = withCacheMarks(messages, model("openrouter", "claude")).slice(-1) as [RequestMessage]
    expect(last.content.at(-1)).toEqual({
      ...text("last"),
      providerOptions: { openrouter: { id: 1, cache_control: { type: "ephemeral" } } },
    })
  })

  it("leaves messages to other models as they are", () => {
    expect(withCacheMarks(messages, model("openai", "gpt-5"))).toEqual(messages)
    expect(withCacheMarks(messages, model("amazon-bedrock", "nova-pro"))).toEqual(messages)
  })

  it("alters nothing that it was given, and takes short conversations", () => {
    const before = structuredClone(messages)
    withCacheMarks(messages, model("openrouter", "claude"))
    expect(messages).toEqual(before)
    expect(withCacheMarks([], model("anthropic", "claude"))).toEqual([])
    expect(withCacheMarks(messages.slice(0, 1), model("anthropic", "claude"))).toHaveLength(1)
  })
})

function model(providerID: string, modelID: string): Model {
  return { providerID, modelID, limit: { context: 0, output: 0 } }
}

import type { ModelMessage } from "@sessile/core/session"
import { answer, text } from "@sessile/model-server"
import { MockLanguageModelV3 } from "ai/test"
import { expect, test } from "vitest"
import { aiSdkDriver } from "./ai-sdk-driver.js"
import { connect } from "./testing/connect.js"
import { failure, read, requestOf } from "./testing/requests.js"

const conversation: readonly ModelMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "system", content: "You are in a folder." },
  {
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      { type: "file", data: "data:image/png;base64,iVBORw0K", mediaType: "image/png", filename: "a.png" },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Look first." },
      { type: "text", text: "Let me see." },
      { type: "tool-call", toolCallId: "call_1", toolName: "read", input: { path: "a" } },
      { type: "tool-call", toolCallId: "call_2", toolName: "read", input: {} },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "call_1",
        toolName: "read",
        output: { type: "text", value: "found" },
      },
      {
        type: "tool-result",
        toolCallId: "call_2",
        toolName: "read",
        output: { type: "error-text", value: "no path" },
      },
    ],
  },
]

test("a conversation goes out with its system messages, files, calls and results", async () => {
  await using connection = await connect(() => answer(text("Fine")))
  await read(connection.driver, requestOf({ messages: conversation }))

  expect(connection.server.requests[0]?.body.messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "system", content: "You are in a folder." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K" } },
      ],
    },
    {
      role: "assistant",
      content: "Let me see.",
      reasoning_content: "Look first.",
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
        { id: "call_2", type: "function", function: { name: "read", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "found" },
    { role: "tool", tool_call_id: "call_2", content: "no path" },
  ])
})

test("tools, settings and options of the provider go along", async () => {
  await using connection = await connect(() => answer(text("Fine")))
  const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] }
  await read(
    connection.driver,
    requestOf({
      tools: [{ name: "read", description: "Reads a file", inputSchema }],
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 1000,
      providerOptions: { mock: { reasoningEffort: "high", seat: 7 } },
    }),
  )
  expect(connection.server.requests[0]?.body).toMatchObject({
    model: "large",
    tools: [
      { type: "function", function: { name: "read", description: "Reads a file", parameters: inputSchema } },
    ],
    temperature: 0.5,
    top_p: 0.9,
    max_tokens: 1000,
    reasoning_effort: "high",
    seat: 7,
  })
})

test("a request without tools and settings names none", async () => {
  await using connection = await connect(() => answer(text("Fine")))
  await read(connection.driver)
  expect(Object.keys(connection.server.requests[0]?.body ?? {}).sort()).toEqual([
    "messages",
    "model",
    "stream",
  ])
})

test("marks for the provider arrive on messages and on their pieces", async () => {
  const mark = { anthropic: { cacheControl: { type: "ephemeral" } } }
  const marked = [
    { role: "system", content: "Be brief.", providerOptions: mark },
    { role: "user", content: [{ type: "text", text: "Hi", providerOptions: mark }], providerOptions: mark },
    { role: "assistant", content: [{ type: "reasoning", text: "", providerOptions: mark }] },
  ] as const
  const prompt = await promptOf(marked)
  expect(prompt).toMatchObject(marked)
})

test("files that tools gave are handed on as images or files, by content or by address", async () => {
  const prompt = await promptOf([
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "call_1",
          toolName: "read",
          output: {
            type: "content",
            value: [
              { type: "text", text: "Four files" },
              { type: "file", data: "data:image/png;base64,iVBORw0K", mediaType: "image/png" },
              {
                type: "file",
                data: "data:application/pdf;name=a;base64,JVBERi0=",
                mediaType: "application/pdf",
                filename: "a.pdf",
              },
              { type: "file", data: "https://example.com/a.png", mediaType: "image/png" },
              { type: "file", data: "https://example.com/a.pdf", mediaType: "application/pdf" },
            ],
          },
        },
      ],
    },
  ])
  expect(prompt).toMatchObject([
    {
      content: [
        {
          output: {
            type: "content",
            value: [
              { type: "text", text: "Four files" },
              { type: "image-data", data: "iVBORw0K", mediaType: "image/png" },
              { type: "file-data", data: "JVBERi0=", mediaType: "application/pdf", filename: "a.pdf" },
              { type: "image-url", url: "https://example.com/a.png" },
              { type: "file-url", url: "https://example.com/a.pdf", mediaType: "application/pdf" },
            ],
          },
        },
      ],
    },
  ])
})

/** What the AI SDK would hand to a provider. */
async function promptOf(messages: readonly ModelMessage[]): Promise<unknown> {
  const model = new MockLanguageModelV3({
    supportedUrls: { "*/*": [/.*/] },
    doStream: async () => {
      throw new Error("seen")
    },
  })
  await failure(read(aiSdkDriver({ model }), requestOf({ messages })))
  return model.doStreamCalls[0]?.prompt
}

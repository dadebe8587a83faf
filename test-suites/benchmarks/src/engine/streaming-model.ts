import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test"

/** How many steps a run takes. */
export const STEPS = 10

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"] extends ReadableStream<infer Part>
    ? Part
    : never

/** A model of the AI SDK that says so many words in each step, and calls a tool in all but the last. */
export function streamingModel(words: number): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const step = prompt.filter(({ role }) => role === "assistant").length
      return { stream: convertArrayToReadableStream(partsOf(step, words)) }
    },
  })
}

function partsOf(step: number, words: number): StreamPart[] {
  const isLast = step + 1 === STEPS
  const reason = isLast ? "stop" : "tool-calls"
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "text" },
    ...Array.from({ length: words }, () => ({ type: "text-delta", id: "text", delta: "word " }) as const),
    { type: "text-end", id: "text" },
    ...(isLast ? [] : [callIn(step)]),
    {
      type: "finish",
      finishReason: { unified: reason, raw: reason },
      usage: {
        inputTokens: { total: 1_000, noCache: 1_000, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: words, text: words, reasoning: 0 },
      },
    },
  ]
}

function callIn(step: number): StreamPart {
  return { type: "tool-call", toolCallId: `call_${step}`, toolName: "look", input: JSON.stringify({ step }) }
}

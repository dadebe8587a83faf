import type { Answer, Piece, Usage } from "./reply.js"

/** A call of a tool as it goes over the wire. */
export interface WireToolCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

/** Hands out ids for calls of tools. */
export type NextCallId = () => string

/** The finish reason of an answer: the one it names, or what follows from it. */
export function finishReasonOf({ pieces }: Answer): string {
  const named = pieces.find((piece) => piece.type === "finish")
  if (named !== undefined) return named.reason
  return pieces.some(({ type }) => type === "tool-call") ? "tool_calls" : "stop"
}

/** The usage of an answer in the form of the API, if it has any. */
export function usageOf({ pieces }: Answer): object | undefined {
  const piece = pieces.find((each) => each.type === "usage")
  return piece && wireUsage(piece.usage)
}

/** A call of a tool in the form of the API. */
export function wireToolCall(
  { id, name, input }: Piece & { type: "tool-call" },
  nextCallId: NextCallId,
): WireToolCall {
  return { id: id ?? nextCallId(), type: "function", function: { name, arguments: input } }
}

function wireUsage({ input, output, cached, reasoning }: Usage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

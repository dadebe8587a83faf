/** What the model does with a request. */
export type Reply = Answer | Refusal

/** An answer in pieces, sent one after the other. */
export interface Answer {
  readonly type: "answer"
  readonly pieces: readonly Piece[]
}

/** An answer with a status of failure. */
export interface Refusal {
  readonly type: "refusal"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A piece of an answer. */
export type Piece =
  | { readonly type: "text"; readonly deltas: readonly string[] }
  | { readonly type: "reasoning"; readonly deltas: readonly string[] }
  | { readonly type: "tool-call"; readonly name: string; readonly input: string; readonly id?: string }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: string }
  | { readonly type: "raw"; readonly bytes: string }
  | { readonly type: "pause"; readonly until: () => Promise<unknown> }
  | { readonly type: "end" }
  | { readonly type: "cut" }

/** Counts of tokens, as OpenAI counts them: `cached` is a part of `input`, `reasoning` one of `output`. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached?: number
  readonly reasoning?: number
}

/**
 * Answers with these pieces. The finish reason is `stop`, or `tool_calls` when a tool was called.
 *
 * @example
 * ```ts
 * answer(reasoning("A list is wanted."), toolCall("bash", { command: "ls" }), usage({ input: 900, output: 20 }))
 * ```
 */
export function answer(...pieces: readonly Piece[]): Answer {
  return { type: "answer", pieces }
}

/**
 * Answers with a status of failure, in the form that OpenAI gives to errors.
 *
 * @example
 * ```ts
 * refusal(429, "Slow down", { "retry-after": "2" })
 * ```
 */
export function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return { type: "refusal", status, headers, body: JSON.stringify({ error: { message } }) }
}

/** A text, a chunk for each delta. */
export function text(...deltas: readonly string[]): Piece {
  return { type: "text", deltas }
}

/** What the model thinks, as `reasoning_content`. */
export function reasoning(...deltas: readonly string[]): Piece {
  return { type: "reasoning", deltas }
}

/**
 * A call of a tool, whose input comes in two chunks.
 *
 * @param input a string is sent as it is, so that it need not be JSON
 * @param id one that the server has not given yet, when not given
 */
export function toolCall(name: string, input: object | string, id?: string): Piece {
  const json = typeof input === "string" ? input : JSON.stringify(input)
  return { type: "tool-call", name, input: json, ...(id !== undefined && { id }) }
}

/** What the request used. Sent at the end, wherever it stands. */
export function usage(counts: Usage): Piece {
  return { type: "usage", usage: counts }
}

/** Another finish reason than the usual one, such as `length`. */
export function finish(reason: string): Piece {
  return { type: "finish", reason }
}

/** Bytes as they are, such as a line that is no JSON. Left out where the answer is not streamed. */
export function raw(bytes: string): Piece {
  return { type: "raw", bytes }
}

/** Sends nothing until the promise is fulfilled, or the client has gone. */
export function pause(until: () => Promise<unknown>): Piece {
  return { type: "pause", until }
}

/** Ends the answer in good order, but without finish reason and usage. */
export function end(): Piece {
  return { type: "end" }
}

/** Breaks the connection. */
export function cut(): Piece {
  return { type: "cut" }
}

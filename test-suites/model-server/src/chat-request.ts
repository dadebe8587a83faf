/** A request for a chat completion, with the fields that tests look at. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly { readonly type: string; readonly function: ChatFunction }[]
  readonly stream?: boolean
  readonly temperature?: number
  readonly top_p?: number
  readonly max_tokens?: number
  readonly [field: string]: unknown
}

/** A message of a request. */
export interface ChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly reasoning_content?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
  readonly [field: string]: unknown
}

/** A tool of a request. */
export interface ChatFunction {
  readonly name: string
  readonly description?: string
  readonly parameters: unknown
}

/** A request that has come in. */
export interface ReceivedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: ChatRequest
  /** Whether the client took the whole answer, or one of the two went away before. */
  readonly outcome: Promise<"complete" | "broken">
}

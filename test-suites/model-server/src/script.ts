import type { ChatRequest } from "./chat-request.js"
import type { Reply } from "./reply.js"

/** Decides what the model says. When it throws, the client gets status 400 and the message. */
export type Script = (request: ChatRequest) => Reply | Promise<Reply>

/**
 * Gives these replies one after the other, and throws when they are used up.
 *
 * @example
 * ```ts
 * const steps = inOrder(answer(toolCall("read", { path: "a" })), answer(text("Done")))
 * const script: Script = (request) => (request.tools ? steps(request) : answer(text("A title")))
 * ```
 */
export function inOrder(...replies: readonly Reply[]): Script {
  const remaining = replies.values()
  return () => {
    const { value } = remaining.next()
    if (value === undefined) throw new Error(`The script has ${replies.length} replies, and all were given`)
    return value
  }
}

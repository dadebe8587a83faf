import type { Message } from "../model/message.js"
import type { Part } from "../model/part.js"
import type { JsonObject } from "../model/primitives.js"
import type { PermissionAsk } from "../permission/permission-ask.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import type { Agent } from "./agent.js"
import type { Model } from "./model.js"

/** What a hook is told, and what it may alter. */
export type Hook<Input, Output> = (input: Input, output: Output) => void | Promise<void>

/**
 * Code of others that takes part, by the names that opencode's plugins use. Each hook is told something, and alters
 * the object that it gets as its second argument. Hooks of several plugins run one after the other, in their order.
 */
export interface Plugin {
  /** A new message of a user, before it is stored. */
  readonly "chat.message"?: Hook<{ readonly sessionID: string }, { message: Message; parts: Part[] }>
  /** The parameters of a request. */
  readonly "chat.params"?: Hook<
    { readonly sessionID: string; readonly agent: Agent; readonly model: Model },
    { temperature?: number; topP?: number; topK?: number; options: Record<string, unknown> }
  >
  /** The layers of the system prompt. */
  readonly "experimental.chat.system.transform"?: Hook<{ readonly sessionID: string }, { system: string[] }>
  /** The conversation as the model is to see it. */
  readonly "experimental.chat.messages.transform"?: Hook<
    { readonly sessionID: string },
    { messages: MessageWithParts[] }
  >
  /** A text of the model that is complete. */
  readonly "experimental.text.complete"?: Hook<
    { readonly sessionID: string; readonly messageID: string; readonly partID: string },
    { text: string }
  >
  /** What is asked of the model that summarises: a whole prompt, or context in addition to ours. */
  readonly "experimental.session.compacting"?: Hook<
    { readonly sessionID: string },
    { context: string[]; prompt?: string }
  >
  readonly "tool.execute.before"?: Hook<
    { readonly tool: string; readonly sessionID: string; readonly callID: string },
    { args: JsonObject }
  >
  readonly "tool.execute.after"?: Hook<
    { readonly tool: string; readonly sessionID: string; readonly callID: string },
    { title: string; output: string; metadata: JsonObject }
  >
  /** A question that the rules leave to people. */
  readonly "permission.ask"?: Hook<PermissionAsk, { status: "ask" | "allow" | "deny" }>
}

import { z } from "zod"
import { createModel } from "./create-model.js"
import { type Form, type FormName, loose, strict } from "./form.js"
import { MessageError, NewMessageError } from "./message-error.js"
import { MessageID, SessionID } from "./model-id.js"
import { Timestamp } from "./primitives.js"
import { NewTokenUsage, TokenUsage } from "./token-usage.js"

const fields = <Name extends FormName>(form: Form<Name>) => ({
  id: MessageID,
  sessionID: SessionID,
  role: z.literal("assistant"),
  time: form.object({ created: Timestamp, completed: Timestamp.optional() }),
  error: form.either(MessageError, NewMessageError).optional(),
  parentID: form.current(MessageID),
  modelID: z.string(),
  providerID: z.string(),
  mode: form.current(z.string()),
  agent: form.current(z.string()),
  path: form.object({ cwd: z.string(), root: z.string() }),
  summary: z.boolean().optional(),
  cost: z.number(),
  tokens: form.either(TokenUsage, NewTokenUsage),
  finish: z.string().optional(),
})

/**
 * What a model answered to the user message `parentID`. The key under which it is stored is the truth about
 * `id` and `sessionID`. Old releases name the agent in `mode` alone, some tools in `agent` alone.
 */
export const AssistantMessage = z.looseObject(fields(loose))
export type AssistantMessage = z.output<typeof AssistantMessage>

const StrictAssistantMessage = z.strictObject(fields(strict))

/** An assistant message as the current release writes it. */
export type NewAssistantMessage = z.output<typeof StrictAssistantMessage>

/**
 * Makes an assistant message.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 */
export function newAssistantMessage(fields: Omit<NewAssistantMessage, "role">): NewAssistantMessage {
  return createModel("AssistantMessage", StrictAssistantMessage, { role: "assistant", ...fields })
}

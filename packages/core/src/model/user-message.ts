import { z } from "zod"
import { createModel } from "./create-model.js"
import { FileDiff, NewFileDiff } from "./file-diff.js"
import { type Form, type FormName, loose, strict } from "./form.js"
import { MessageID, SessionID } from "./model-id.js"
import { ModelReference, NewModelReference } from "./model-reference.js"
import { Timestamp } from "./primitives.js"

const fields = <Name extends FormName>(form: Form<Name>) => ({
  id: MessageID,
  sessionID: SessionID,
  role: z.literal("user"),
  time: form.object({ created: Timestamp }),
  summary: form
    .object({
      title: z.string().optional(),
      body: z.string().optional(),
      diffs: form.either(z.array(FileDiff), z.array(NewFileDiff)),
    })
    .optional(),
  agent: form.current(z.string()),
  model: form.either(ModelReference.optional(), NewModelReference),
  system: z.string().optional(),
  tools: z.record(z.string(), z.boolean()).optional(),
  variant: z.string().optional(),
})

/**
 * What a user asked, and of which agent and model. The key under which it is stored is the truth about `id`
 * and `sessionID`.
 */
export const UserMessage = z.looseObject(fields(loose))
export type UserMessage = z.output<typeof UserMessage>

const StrictUserMessage = z.strictObject(fields(strict))

/** A user message as the current release writes it. */
export type NewUserMessage = z.output<typeof StrictUserMessage>

/**
 * Makes a user message.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 */
export function newUserMessage(fields: Omit<NewUserMessage, "role">): NewUserMessage {
  return createModel("UserMessage", StrictUserMessage, { role: "user", ...fields })
}

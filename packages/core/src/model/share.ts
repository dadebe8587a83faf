import { z } from "zod"
import { createModel } from "./create-model.js"
import { type Form, type FormName, loose, strict } from "./form.js"

const fields = <Name extends FormName>(form: Form<Name>) => ({
  id: form.current(z.string()),
  secret: z.string(),
  url: z.string(),
})

/** The public copy of a session, as stored under `session_share`, or without `id` under `share`. */
export const SessionShare = z.looseObject(fields(loose))
export type SessionShare = z.output<typeof SessionShare>

/** A share as the current release writes it, under `session_share`. */
export const NewSessionShare = z.strictObject(fields(strict))
export type NewSessionShare = z.output<typeof NewSessionShare>

/**
 * Makes the record of a share.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 */
export function newSessionShare(fields: NewSessionShare): NewSessionShare {
  return createModel("SessionShare", NewSessionShare, fields)
}

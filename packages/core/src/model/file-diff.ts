import { z } from "zod"
import { createModel } from "./create-model.js"
import { type Form, type FormName, loose, strict } from "./form.js"

const fields = <Name extends FormName>(form: Form<Name>) => ({
  file: z.string(),
  before: form.current(z.string()),
  after: form.current(z.string()),
  additions: z.number(),
  deletions: z.number(),
  status: form.either(z.string().optional(), z.enum(["added", "deleted", "modified"])),
})

/**
 * The change of one file. `before` and `after` are whole contents; releases of the SQLite era write a
 * `patch` in their place. `file` may be quoted the way git quotes names.
 */
export const FileDiff = z.looseObject(fields(loose))
export type FileDiff = z.output<typeof FileDiff>

/** A file diff as the current release writes it. */
export const NewFileDiff = z.strictObject(fields(strict))
export type NewFileDiff = z.output<typeof NewFileDiff>

/** The changes of a session, as stored under `session_diff`. */
export const FileDiffList = z.array(FileDiff)
export type FileDiffList = z.output<typeof FileDiffList>

/**
 * Makes a file diff.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 */
export function newFileDiff(fields: NewFileDiff): NewFileDiff {
  return createModel("FileDiff", NewFileDiff, fields)
}

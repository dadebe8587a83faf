import { z } from "zod"
import { FilePartSource, NewFilePartSource } from "./file-source.js"
import { type Form, type FormName, loose, strict } from "./form.js"
import { partBaseFields } from "./part-base.js"

const fields = <Name extends FormName>(form: Form<Name>) => ({
  ...partBaseFields,
  type: z.literal("file"),
  mime: z.string(),
  filename: z.string().optional(),
  url: z.string(),
  source: form.either(FilePartSource, NewFilePartSource).optional(),
})

/** An attached file. The url is a `data:` or `file:` one. */
export const FilePart = z.looseObject(fields(loose))
export type FilePart = z.output<typeof FilePart>

/** A file part as the current release writes it. */
export const NewFilePart = z.strictObject(fields(strict))

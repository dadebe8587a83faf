import { z } from "zod"
import { type Form, type FormName, loose, strict } from "./form.js"

const fields = <Name extends FormName>(form: Form<Name>) => {
  const count = form.either(z.number(), z.number().nonnegative())
  return {
    total: count.optional(),
    input: count,
    output: count,
    reasoning: count,
    cache: form.object({ read: count, write: count }),
  }
}

/** Tokens spent by a step or a message. Real stores hold negative counts; they are read as they are. */
export const TokenUsage = z.looseObject(fields(loose))
export type TokenUsage = z.output<typeof TokenUsage>

/** Token counts that we write: never negative. */
export const NewTokenUsage = z.strictObject(fields(strict))
export type NewTokenUsage = z.output<typeof NewTokenUsage>

import { z } from "zod"

/**
 * The two forms of every model. `loose` reads what any release wrote; `strict` admits what the current
 * release writes and nothing else.
 */
export type FormName = "loose" | "strict"

/** Builds the fields of a model in one of its forms, so that no model is written down twice. */
export interface Form<Name extends FormName> {
  /** A nested object: unknown fields pass when loose and are refused when strict. */
  object<Shape extends z.ZodRawShape>(
    shape: Shape,
  ): z.ZodObject<Shape, Name extends "loose" ? z.core.$loose : z.core.$strict>
  /** A field that the current release always writes and some older one omits. */
  current<Schema extends z.ZodType>(schema: Schema): Name extends "loose" ? z.ZodOptional<Schema> : Schema
  /** A field whose schema differs between the forms. */
  either<Loose extends z.ZodType, Strict extends z.ZodType>(
    loose: Loose,
    strict: Strict,
  ): Name extends "loose" ? Loose : Strict
}

/** The form for reading. */
export const loose: Form<"loose"> = {
  object: (shape) => z.looseObject(shape),
  current: (schema) => schema.optional(),
  either: (schema) => schema,
}

/** The form for creating. */
export const strict: Form<"strict"> = {
  object: (shape) => z.strictObject(shape),
  current: (schema) => schema,
  either: (_, schema) => schema,
}

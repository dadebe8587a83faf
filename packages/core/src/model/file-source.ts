import { z } from "zod"
import { type Form, type FormName, loose, strict } from "./form.js"

const textFields = { value: z.string(), start: z.number(), end: z.number() }
const positionFields = { line: z.number(), character: z.number() }

/** The words of a prompt that stand for something else, and where they stand. */
export const SourceText = z.looseObject(textFields)
export type SourceText = z.output<typeof SourceText>

/** The words of a prompt, as the current release writes them. */
export const NewSourceText = z.strictObject(textFields)

const sourceText = <Name extends FormName>(form: Form<Name>) => form.either(SourceText, NewSourceText)

const fileSourceFields = <Name extends FormName>(form: Form<Name>) => ({
  text: sourceText(form),
  type: z.literal("file"),
  path: z.string(),
})

const symbolSourceFields = <Name extends FormName>(form: Form<Name>) => ({
  text: sourceText(form),
  type: z.literal("symbol"),
  path: z.string(),
  range: form.object({ start: form.object(positionFields), end: form.object(positionFields) }),
  name: z.string(),
  kind: z.number(),
})

const resourceSourceFields = <Name extends FormName>(form: Form<Name>) => ({
  text: sourceText(form),
  type: z.literal("resource"),
  clientName: z.string(),
  uri: z.string(),
})

/** A file that was named in a prompt. */
export const FileSource = z.looseObject(fileSourceFields(loose))
export type FileSource = z.output<typeof FileSource>

/** A symbol that was named in a prompt; `kind` and `range` are those of the language server protocol. */
export const SymbolSource = z.looseObject(symbolSourceFields(loose))
export type SymbolSource = z.output<typeof SymbolSource>

/** A resource of an MCP server that was named in a prompt. */
export const ResourceSource = z.looseObject(resourceSourceFields(loose))
export type ResourceSource = z.output<typeof ResourceSource>

/** Where an attached file came from. */
export const FilePartSource = z.discriminatedUnion("type", [FileSource, SymbolSource, ResourceSource])
export type FilePartSource = z.output<typeof FilePartSource>

/** The source of a file, as the current release writes it. */
export const NewFilePartSource = z.discriminatedUnion("type", [
  z.strictObject(fileSourceFields(strict)),
  z.strictObject(symbolSourceFields(strict)),
  z.strictObject(resourceSourceFields(strict)),
])

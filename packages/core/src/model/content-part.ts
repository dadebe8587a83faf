import { z } from "zod"
import { NewSourceText, SourceText } from "./file-source.js"
import { type Form, type FormName, loose, strict } from "./form.js"
import { ModelReference, NewModelReference } from "./model-reference.js"
import { partBaseFields } from "./part-base.js"
import { JsonObject, Timestamp } from "./primitives.js"
import { NewToolState, ToolState } from "./tool-state.js"

const span = { start: Timestamp, end: Timestamp.optional() }

const textFields = <Name extends FormName>(form: Form<Name>) => ({
  ...partBaseFields,
  type: z.literal("text"),
  text: z.string(),
  synthetic: z.boolean().optional(),
  ignored: z.boolean().optional(),
  time: form.object(span).optional(),
  metadata: JsonObject.optional(),
})

const reasoningFields = <Name extends FormName>(form: Form<Name>) => ({
  ...partBaseFields,
  type: z.literal("reasoning"),
  text: z.string(),
  metadata: JsonObject.optional(),
  time: form.current(form.object(span)),
})

const toolFields = <Name extends FormName>(form: Form<Name>) => ({
  ...partBaseFields,
  type: z.literal("tool"),
  callID: z.string(),
  tool: z.string(),
  state: form.either(ToolState, NewToolState),
  metadata: JsonObject.optional(),
})

const agentFields = <Name extends FormName>(form: Form<Name>) => ({
  ...partBaseFields,
  type: z.literal("agent"),
  name: z.string(),
  source: form.either(SourceText, NewSourceText).optional(),
})

const subtaskFields = <Name extends FormName>(form: Form<Name>) => ({
  ...partBaseFields,
  type: z.literal("subtask"),
  prompt: z.string(),
  description: z.string(),
  agent: z.string(),
  model: form.either(ModelReference, NewModelReference).optional(),
  command: z.string().optional(),
})

/** Text of a user or a model. `synthetic` text was added by the program; `ignored` text stays out of context. */
export const TextPart = z.looseObject(textFields(loose))
export type TextPart = z.output<typeof TextPart>

/** What a model thought before it answered. */
export const ReasoningPart = z.looseObject(reasoningFields(loose))
export type ReasoningPart = z.output<typeof ReasoningPart>

/** A call of a tool. */
export const ToolPart = z.looseObject(toolFields(loose))
export type ToolPart = z.output<typeof ToolPart>

/** An agent that was named in a prompt. */
export const AgentPart = z.looseObject(agentFields(loose))
export type AgentPart = z.output<typeof AgentPart>

/** A task that is to be done in a session of its own. */
export const SubtaskPart = z.looseObject(subtaskFields(loose))
export type SubtaskPart = z.output<typeof SubtaskPart>

/** The parts of this file, as the current release writes them. */
export const newContentParts = [
  z.strictObject(textFields(strict)),
  z.strictObject(reasoningFields(strict)),
  z.strictObject(toolFields(strict)),
  z.strictObject(agentFields(strict)),
  z.strictObject(subtaskFields(strict)),
] as const

import { z } from "zod"
import { createModel } from "./create-model.js"
import { FilePart, NewFilePart } from "./file-part.js"
import { type Form, type FormName, loose, strict } from "./form.js"
import { JsonObject, Timestamp } from "./primitives.js"

/** How far a tool call has come. */
export const ToolStatus = z.enum(["pending", "running", "completed", "error"])
export type ToolStatus = z.output<typeof ToolStatus>

const pendingFields = <Name extends FormName>(form: Form<Name>) => ({
  status: z.literal("pending"),
  input: form.current(JsonObject),
  raw: form.current(z.string()),
})

const runningFields = <Name extends FormName>(form: Form<Name>) => ({
  status: z.literal("running"),
  input: JsonObject,
  title: z.string().optional(),
  metadata: JsonObject.optional(),
  time: form.object({ start: Timestamp }),
})

const completedFields = <Name extends FormName>(form: Form<Name>) => ({
  status: z.literal("completed"),
  input: JsonObject,
  output: z.string(),
  title: form.current(z.string()),
  metadata: form.current(JsonObject),
  time: form.current(form.object({ start: Timestamp, end: Timestamp, compacted: Timestamp.optional() })),
  attachments: form.either(z.array(FilePart), z.array(NewFilePart)).optional(),
})

const errorFields = <Name extends FormName>(form: Form<Name>) => ({
  status: z.literal("error"),
  input: JsonObject,
  error: z.string(),
  metadata: JsonObject.optional(),
  time: form.object({ start: Timestamp, end: Timestamp }),
})

/** The model has begun a tool call; `raw` is its input as far as it has arrived. */
export const ToolStatePending = z.looseObject(pendingFields(loose))
export type ToolStatePending = z.output<typeof ToolStatePending>

/** The tool is at work. */
export const ToolStateRunning = z.looseObject(runningFields(loose))
export type ToolStateRunning = z.output<typeof ToolStateRunning>

/** The tool has answered. `time.compacted` says when the output was taken out of the context. */
export const ToolStateCompleted = z.looseObject(completedFields(loose))
export type ToolStateCompleted = z.output<typeof ToolStateCompleted>

/** The tool has failed, or was aborted. */
export const ToolStateError = z.looseObject(errorFields(loose))
export type ToolStateError = z.output<typeof ToolStateError>

/** The state of a tool call. `canTransition` says which may follow which. */
export const ToolState = z.discriminatedUnion("status", [
  ToolStatePending,
  ToolStateRunning,
  ToolStateCompleted,
  ToolStateError,
])
export type ToolState = z.output<typeof ToolState>

/** A tool state as the current release writes it. */
export const NewToolState = z.discriminatedUnion("status", [
  z.strictObject(pendingFields(strict)),
  z.strictObject(runningFields(strict)),
  z.strictObject(completedFields(strict)),
  z.strictObject(errorFields(strict)),
])

type NewToolStates = { [Each in z.output<typeof NewToolState> as Each["status"]]: Each }

/** As above: `NewToolState<"running">`, or `NewToolState` for one of any status. */
export type NewToolState<Status extends ToolStatus = ToolStatus> = NewToolStates[Status]

/**
 * Makes a tool state.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 */
export function newToolState<Status extends ToolStatus>(
  fields: NewToolState<Status> & { status: Status },
): NewToolState<Status> {
  return createModel("ToolState", NewToolState, fields) as NewToolState<Status>
}

import { z } from "zod"
import { AgentPart, newContentParts, ReasoningPart, SubtaskPart, TextPart, ToolPart } from "./content-part.js"
import { createModel } from "./create-model.js"
import { FilePart, NewFilePart } from "./file-part.js"
import {
  CompactionPart,
  newStepParts,
  PatchPart,
  RetryPart,
  SnapshotPart,
  StepFinishPart,
  StepStartPart,
} from "./step-part.js"

/** A piece of a message, of any of the twelve types. */
export const Part = z.discriminatedUnion("type", [
  TextPart,
  ReasoningPart,
  ToolPart,
  FilePart,
  StepStartPart,
  StepFinishPart,
  SnapshotPart,
  PatchPart,
  AgentPart,
  SubtaskPart,
  RetryPart,
  CompactionPart,
])
export type Part = z.output<typeof Part>

/** The type of a part. */
export type PartType = Part["type"]

const StrictPart = z.discriminatedUnion("type", [...newContentParts, ...newStepParts, NewFilePart])

type NewParts = { [Each in z.output<typeof StrictPart> as Each["type"]]: Each }

/** A part as the current release writes it: `NewPart<"text">`, or `NewPart` for one of any type. */
export type NewPart<Type extends PartType = PartType> = NewParts[Type]

/**
 * Makes a part of the type that `type` names.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 *
 * @example
 * ```ts
 * const part = newPart({ id, sessionID, messageID, type: "text", text: "Hello" })
 * ```
 */
export function newPart<Type extends PartType>(fields: NewPart<Type> & { type: Type }): NewPart<Type> {
  return createModel("Part", StrictPart, fields) as NewPart<Type>
}

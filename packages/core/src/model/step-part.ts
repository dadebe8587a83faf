import { z } from "zod"
import { type Form, type FormName, loose, strict } from "./form.js"
import { MessageError, NewAPIError } from "./message-error.js"
import { partBaseFields } from "./part-base.js"
import { Timestamp } from "./primitives.js"
import { NewTokenUsage, TokenUsage } from "./token-usage.js"

const stepStartFields = {
  ...partBaseFields,
  type: z.literal("step-start"),
  snapshot: z.string().optional(),
}

const stepFinishFields = <Name extends FormName>(form: Form<Name>) => ({
  ...partBaseFields,
  type: z.literal("step-finish"),
  reason: form.current(z.string()),
  snapshot: z.string().optional(),
  cost: z.number(),
  tokens: form.either(TokenUsage, NewTokenUsage),
})

const snapshotFields = {
  ...partBaseFields,
  type: z.literal("snapshot"),
  snapshot: z.string(),
}

const patchFields = {
  ...partBaseFields,
  type: z.literal("patch"),
  hash: z.string(),
  files: z.array(z.string()),
}

const retryFields = <Name extends FormName>(form: Form<Name>) => ({
  ...partBaseFields,
  type: z.literal("retry"),
  attempt: z.number(),
  error: form.either(MessageError, NewAPIError),
  time: form.object({ created: Timestamp }),
})

const compactionFields = {
  ...partBaseFields,
  type: z.literal("compaction"),
  auto: z.boolean(),
}

/** The start of a step, with the snapshot taken then. */
export const StepStartPart = z.looseObject(stepStartFields)
export type StepStartPart = z.output<typeof StepStartPart>

/** The end of a step: why it ended, and what it cost. */
export const StepFinishPart = z.looseObject(stepFinishFields(loose))
export type StepFinishPart = z.output<typeof StepFinishPart>

/** The state of the worktree at this point. */
export const SnapshotPart = z.looseObject(snapshotFields)
export type SnapshotPart = z.output<typeof SnapshotPart>

/** The files that a step changed since the snapshot `hash`. */
export const PatchPart = z.looseObject(patchFields)
export type PatchPart = z.output<typeof PatchPart>

/** A request that failed and was tried again. */
export const RetryPart = z.looseObject(retryFields(loose))
export type RetryPart = z.output<typeof RetryPart>

/** The request to sum up what came before; `auto` when the context had overflowed. */
export const CompactionPart = z.looseObject(compactionFields)
export type CompactionPart = z.output<typeof CompactionPart>

/** The parts of this file, as the current release writes them. */
export const newStepParts = [
  z.strictObject(stepStartFields),
  z.strictObject(stepFinishFields(strict)),
  z.strictObject(snapshotFields),
  z.strictObject(patchFields),
  z.strictObject(retryFields(strict)),
  z.strictObject(compactionFields),
] as const

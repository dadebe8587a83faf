import { z } from "zod"
import { createModel } from "./create-model.js"
import { FileDiff, NewFileDiff } from "./file-diff.js"
import { type Form, type FormName, loose, strict } from "./form.js"
import { MessageID, PartID, ProjectID, SessionID } from "./model-id.js"
import { NewPermissionRule, PermissionRuleset } from "./permission.js"
import { Timestamp } from "./primitives.js"

/** The readable name of a session in addresses, such as `quiet-harbor`. */
export const Slug = z.string().min(1)
export type Slug = z.output<typeof Slug>

const summaryFields = <Name extends FormName>(form: Form<Name>) => ({
  additions: z.number(),
  deletions: z.number(),
  files: z.number(),
  diffs: form.either(z.array(FileDiff), z.array(NewFileDiff)).optional(),
})

const revertFields = {
  messageID: MessageID,
  partID: PartID.optional(),
  snapshot: z.string().optional(),
  diff: z.string().optional(),
}

/** Totals of what a session changed. Older releases keep the diffs here, newer ones under `session_diff`. */
export const SessionSummary = z.looseObject(summaryFields(loose))
export type SessionSummary = z.output<typeof SessionSummary>

/** The point to which a session has been taken back, and what it takes to undo that. */
export const RevertState = z.looseObject(revertFields)
export type RevertState = z.output<typeof RevertState>

const fields = <Name extends FormName>(form: Form<Name>) => ({
  id: SessionID,
  slug: form.current(Slug),
  version: z.string(),
  projectID: form.current(ProjectID),
  directory: form.current(z.string()),
  path: z.string().optional(),
  parentID: SessionID.optional(),
  title: z.string(),
  permission: form.either(PermissionRuleset, z.array(NewPermissionRule)).optional(),
  time: form.object({
    created: Timestamp,
    updated: Timestamp,
    compacting: Timestamp.optional(),
    archived: form.either(Timestamp.nullish(), Timestamp.optional()),
  }),
  summary: form.either(SessionSummary, z.strictObject(summaryFields(strict))).optional(),
  share: form.object({ url: z.string() }).optional(),
  revert: form.either(RevertState, z.strictObject(revertFields)).optional(),
})

/**
 * One conversation. The key under which it is stored is the truth about `id` and `projectID`: a reader sets
 * them from there before it checks the record, for in the body they may be stale or missing.
 */
export const Session = z.looseObject(fields(loose))
export type Session = z.output<typeof Session>

/** A session as the current release writes it. */
export const NewSession = z.strictObject(fields(strict))
export type NewSession = z.output<typeof NewSession>

/**
 * Makes a session.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 *
 * @example
 * ```ts
 * newSession({
 *   id, slug: "quiet-harbor", version: "1.1.65", projectID: "global", directory: "/home/dev",
 *   title: "Fix the login", time: { created: now, updated: now },
 * })
 * ```
 */
export function newSession(fields: NewSession): NewSession {
  return createModel("Session", NewSession, fields)
}

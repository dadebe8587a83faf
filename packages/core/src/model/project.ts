import { z } from "zod"
import { createModel } from "./create-model.js"
import { type Form, type FormName, loose, strict } from "./form.js"
import { ProjectID } from "./model-id.js"
import { Timestamp } from "./primitives.js"

const fields = <Name extends FormName>(form: Form<Name>) => ({
  id: ProjectID,
  worktree: z.string(),
  vcsDir: z.string().optional(),
  vcs: form.either(z.string(), z.literal("git")).optional(),
  sandboxes: form.current(z.array(z.string())),
  time: form.object({
    created: Timestamp,
    updated: form.current(Timestamp),
    initialized: Timestamp.optional(),
  }),
  name: z.string().optional(),
  icon: form
    .object({
      url: z.string().optional(),
      override: z.string().optional(),
      color: z.string().optional(),
    })
    .optional(),
  commands: form.object({ start: z.string().optional() }).optional(),
})

/** A worktree and the settings of the conversations held in it. */
export const Project = z.looseObject(fields(loose))
export type Project = z.output<typeof Project>

/** A project as the current release writes it. */
export const NewProject = z.strictObject(fields(strict))
export type NewProject = z.output<typeof NewProject>

/**
 * Makes a project.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 *
 * @example
 * ```ts
 * newProject({ id: "global", worktree: "/", sandboxes: [], time: { created: now, updated: now } })
 * ```
 */
export function newProject(fields: NewProject): NewProject {
  return createModel("Project", NewProject, fields)
}

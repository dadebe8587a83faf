import type { Project } from "../../model/project.js"
import type { SystemPrompt } from "../engine-options.js"
import { type SystemPromptOptions, systemPrompt } from "./system-prompt.js"

/** What does not follow from the session. */
export type ProjectPromptOptions = Pick<
  SystemPromptOptions,
  "instructions" | "isTrusted" | "onIgnored" | "header" | "environment" | "clock"
>

/**
 * The system prompt for the sessions of a project, see {@link systemPrompt}, as `Engine` takes it.
 *
 * @example
 * ```ts
 * const { instructions } = configuration
 * const engine = new Engine({ ...options, systemPrompt: projectPrompt(project, { instructions }) })
 * ```
 */
export function projectPrompt(
  { worktree, vcs }: Pick<Project, "worktree" | "vcs">,
  options: ProjectPromptOptions = {},
): SystemPrompt {
  const isRepository = vcs === "git"
  return ({ agent, model, session: { directory = worktree } }) =>
    systemPrompt({ ...options, agent, model, directory, worktree, isRepository })
}

import type { PathEnvironment } from "../../paths/opencode-paths.js"
import type { Agent } from "../agent.js"
import type { IgnoredSetting } from "../config/ignored-setting.js"
import type { Model } from "../model.js"
import { environmentPrompt } from "./environment.js"
import { instructionsPrompt } from "./instructions.js"
import { providerHeader, providerPrompt } from "./provider-prompt.js"

/** What a system prompt is made for. */
export interface SystemPromptOptions {
  readonly model: Model
  readonly agent: Pick<Agent, "prompt">
  /** Where the work is done. */
  readonly directory: string
  /** The root of the repository around it, where looking for files ends. */
  readonly worktree: string
  readonly isRepository: boolean
  /** Further files with instructions, as configuration names them. */
  readonly instructions?: readonly string[] | undefined
  /** Whether the user trusts the worktree, see `TrustedFolders`; not when not given. */
  readonly isTrusted?: boolean | undefined
  /** Reports a file with instructions that is not read. */
  readonly onIgnored?: ((ignored: IgnoredSetting) => void) | undefined
  /** What the user wants to be said in addition, in this conversation. */
  readonly system?: string | undefined
  /** What a model is told before anything else; a neutral line, where one helps, when not given. */
  readonly header?: ((model: Model) => string | undefined) | undefined
  /** What decides about the platform, and where the user's own instructions are; by default the running process. */
  readonly environment?: PathEnvironment | undefined
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly clock?: (() => number) | undefined
}

/**
 * The system prompt, layer by layer, each a text; layers with nothing to say are left out:
 * 1. the header for the provider
 * 2. the prompt of the agent, or else the one for the family of the model
 * 3. the environment, with the first 200 files of a repository
 * 4. instructions of the project, of the user, and from configuration
 * 5. what the user adds for this conversation
 *
 * @throws GitError when git cannot list the files of the repository
 */
export async function systemPrompt(options: SystemPromptOptions): Promise<string[]> {
  const { model, agent, directory, worktree, isRepository, environment, clock } = options
  const { header = providerHeader, instructions, isTrusted, onIgnored, system } = options
  const layers = [
    header(model),
    agent.prompt ?? providerPrompt(model),
    await environmentPrompt({ directory, isRepository, platform: environment?.platform, clock }),
    await instructionsPrompt({ directory, worktree, instructions, isTrusted, onIgnored, environment }),
    system,
  ]
  return layers.filter((layer): layer is string => layer !== undefined && layer !== "")
}

import type { ModelReference } from "../model/model-reference.js"
import type { PartFields } from "../session/parts.js"
import { checkOptions } from "../storage/options.js"
import { EngineError } from "./engine-error.js"

/** A piece of a prompt. */
export type PromptPart = Extract<PartFields, { type: (typeof PROMPT_PARTS)[number] }>

const PROMPT_PARTS = ["text", "file", "agent", "subtask"] as const

/** What a user asks, and of whom. */
export interface PromptInput {
  /**
   * Texts; files, of which those on this machine are read here and now; agents that are to be given the task; and
   * subtasks, which are done in sessions of their own before the rest is answered.
   */
  readonly parts: readonly PromptPart[]
  /** The name of the agent; the default one when not given. */
  readonly agent?: string | undefined
  /** That of the agent when not given, else the one that the session used last. */
  readonly model?: ModelReference | undefined
  /** Stores the question, and leaves it unanswered. */
  readonly noReply?: boolean | undefined
  /** What the model is told beforehand, in addition to everything else. */
  readonly system?: string | undefined
  /** Tools that are switched off, by name. */
  readonly tools?: Readonly<Record<string, boolean>> | undefined
  readonly variant?: string | undefined
  /** The id of the message; a new one when not given. */
  readonly messageID?: string | undefined
}

/**
 * Refuses what cannot be asked.
 *
 * @throws EngineError `INVALID_PROMPT`; StorageError `INVALID_ARGUMENT` for unknown and ill-typed options
 */
export function checkPrompt(input: PromptInput): void {
  checkOptions("prompt", input, {
    parts: "array",
    agent: "string?",
    model: "object?",
    noReply: "boolean?",
    system: "any?",
    tools: "object?",
    variant: "string?",
    messageID: "string?",
  })
  if (input.parts.length === 0) throw new EngineError("INVALID_PROMPT", "A prompt needs at least one part")
  for (const { type } of input.parts) {
    if (PROMPT_PARTS.includes(type)) continue
    const known = PROMPT_PARTS.join(", ")
    throw new EngineError(
      "INVALID_PROMPT",
      `A prompt has no parts of type ${String(type)}; there are ${known}`,
    )
  }
}

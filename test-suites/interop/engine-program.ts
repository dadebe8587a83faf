import type { PromptInput } from "@sessile/core/engine"
import type { ExportedSession } from "./exported-session.js"

/** What is asked, and of whom. */
export type Question = Pick<PromptInput, "parts" | "agent" | "model">

/** What answers questions with models and tools: opencode, or the engine. */
export interface EngineProgram extends AsyncDisposable {
  /** Where its tools work. */
  readonly worktree: string
  /** Begins a session, and gives its id. */
  createSession(): Promise<string>
  /** Asks something, and waits for the answer. */
  ask(sessionID: string, question: Question): Promise<void>
  /** Has a session summed up. */
  compact(sessionID: string): Promise<void>
  /** Resolves when the last answer of a session has begun with a step. */
  stepBegun(sessionID: string): Promise<void>
  /** A session as it is stored, and those that were begun for it. */
  stored(sessionID: string): Promise<ExportedSession[]>
}

/** A session out of many, and those that were begun for it, in this order. */
export function familyOf(sessions: readonly ExportedSession[], sessionID: string): ExportedSession[] {
  return [
    ...sessions.filter(({ info }) => info.id === sessionID),
    ...sessions.filter(({ info }) => info.parentID === sessionID),
  ]
}

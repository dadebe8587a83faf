import type { AssistantMessage } from "../model/assistant-message.js"
import type { ModelReference } from "../model/model-reference.js"
import type { Session } from "../model/session.js"
import type { EngineContext } from "./engine-options.js"
import { timeAfter } from "./message-time.js"

/** Whose answer it is, and to what. */
export interface AnswerFields {
  readonly session: Session
  /** The id of the question. */
  readonly parentID: string
  /** The name of the agent. */
  readonly agent: string
  readonly model: ModelReference
  /** When the newest message of the session was made. */
  readonly newest: number
  readonly isSummary?: boolean
}

/** Adds an answer that says nothing yet. */
export async function addAnswer(
  { sessions, clock, worktree }: EngineContext,
  { session, parentID, agent, model, newest, isSummary }: AnswerFields,
): Promise<AssistantMessage> {
  const { info } = await sessions.messages.add(session.id, {
    role: "assistant",
    time: { created: timeAfter(newest, clock()) },
    parentID,
    modelID: model.modelID,
    providerID: model.providerID,
    mode: agent,
    agent,
    path: { cwd: session.directory ?? worktree, root: worktree },
    ...(isSummary && { summary: true }),
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
  })
  return info as AssistantMessage
}

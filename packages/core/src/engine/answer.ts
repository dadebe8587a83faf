import type { SessionStatus } from "../event/session-events.js"
import type { AssistantMessage } from "../model/assistant-message.js"
import type { NewAPIError, NewMessageError } from "../model/message-error.js"
import { isOverflow } from "../session/overflow.js"
import { SessionError } from "../session/session-error.js"
import { StorageError } from "../storage/storage-error.js"
import { sleep } from "./abort.js"
import { Attempt } from "./attempt.js"
import { isFinal } from "./conversation.js"
import type { EngineContext } from "./engine-options.js"
import { abortedError, isRetryable, toMessageError } from "./message-errors.js"
import type { ReachableModel } from "./model.js"
import type { ModelRequest } from "./model-driver.js"
import { retryDelay } from "./retry-delay.js"
import type { ToolCaller } from "./tool-caller.js"

/** What a run of a session is told, and tells, while an answer is made. */
export interface RunHandle {
  readonly signal: AbortSignal
  setStatus(status: SessionStatus): void
  /** An answer is complete. */
  noteAnswer(answer: AssistantMessage, changes: { readonly hasChangedFiles: boolean }): void
}

/** An answer that is to be made. */
export interface AnswerInput {
  /** The message that becomes the answer; it is empty as yet. */
  readonly message: AssistantMessage
  readonly model: ReachableModel
  readonly request: Omit<ModelRequest, "signal">
  readonly caller: ToolCaller
  readonly run: RunHandle
}

/** How the conversation goes on: by itself, not unless something is asked, or after it was summed up. */
export type AnswerOutcome = "continue" | "stop" | "compact"

/**
 * Asks a model, and stores what it says and does. A request that fails is made again after a while, for as long as
 * that may help: what came of it is taken back, unless tools were called, for their calls cannot be taken back; then
 * the answer ends there, and the next step goes on from it.
 */
export async function answer(context: EngineContext, input: AnswerInput): Promise<AnswerOutcome> {
  const { message, model, caller, run } = input
  for (let failures = 1; ; failures++) {
    run.setStatus({ type: "busy" })
    const attempt = new Attempt(context, message, model.model, caller, run.signal)
    const failure = await make(input, attempt)
    if (failure === undefined) return conclude(context, input, attempt)
    if (!isRetryable(failure)) {
      await attempt.abort()
      return conclude(context, input, attempt, failure)
    }
    if (attempt.hasCalled) await attempt.end()
    else await attempt.discard()
    if (!(await pause(context, input, failure, failures))) {
      return conclude(context, input, attempt, abortedError())
    }
    if (attempt.hasCalled) return conclude(context, input, attempt)
  }
}

/** Makes the request; what comes back says what to store when it failed. A store that fails can store nothing. */
async function make(
  { model, request, run }: AnswerInput,
  attempt: Attempt,
): Promise<NewMessageError | undefined> {
  try {
    await attempt.consume(model.driver.stream({ ...request, signal: run.signal }))
    await attempt.end()
    return undefined
  } catch (error) {
    if (run.signal.aborted) return abortedError()
    if (!StorageError.is(error) && !SessionError.is(error))
      return toMessageError(error, model.model.providerID)
    attempt.stop()
    throw error
  }
}

/** Notes a failure, and waits until it is time to ask again; `false` when the run was cancelled before. */
async function pause(
  { sessions, clock, timer }: EngineContext,
  { message, run }: AnswerInput,
  error: NewAPIError,
  attempt: number,
): Promise<boolean> {
  const now = clock()
  await sessions.parts.add(message, { type: "retry", attempt, error, time: { created: now } })
  const delay = retryDelay(attempt, error.data.responseHeaders, now)
  const elapsed = sleep(timer, delay, run.signal)
  run.setStatus({ type: "retry", attempt, message: error.data.message, next: now + delay })
  try {
    await elapsed
    return true
  } catch (reason) {
    if (!run.signal.aborted) throw reason
    return false
  }
}

/** Ends an assistant message of a run that was cancelled before the request was made. */
export async function concludeAborted(
  { sessions, clock, publish }: EngineContext,
  message: AssistantMessage,
  run: RunHandle,
): Promise<AnswerOutcome> {
  const error = abortedError()
  const answer = await sessions.messages.update<AssistantMessage>(message, (draft) => {
    draft.error = error
    draft.time.completed = Math.max(draft.time.created, clock())
  })
  run.noteAnswer(answer, { hasChangedFiles: false })
  publish("session.error", { sessionID: message.sessionID, error })
  return "stop"
}

async function conclude(
  { sessions, settings, clock, publish }: EngineContext,
  { message, model, run }: AnswerInput,
  { step, isRefused, hasChangedFiles }: Attempt,
  error?: NewMessageError,
): Promise<AnswerOutcome> {
  const answer = await sessions.messages.update<AssistantMessage>(message, (draft) => {
    if (step !== undefined) {
      const { reason, cost, tokens } = step
      Object.assign(draft, { finish: reason, cost: draft.cost + cost, tokens })
    } else if (error === undefined) {
      draft.finish = "unknown"
    }
    if (error !== undefined) draft.error = error
    draft.time.completed = Math.max(draft.time.created, clock())
  })
  run.noteAnswer(answer, { hasChangedFiles })
  if (error !== undefined) publish("session.error", { sessionID: message.sessionID, error })
  if (error !== undefined || isRefused) return "stop"
  if (settings.autoCompaction && isOverflow(answer.tokens, model.model.limit)) return "compact"
  return isFinal(answer) ? "stop" : "continue"
}

import type { SessionStatus } from "../event/session-events.js"
import type { AssistantMessage } from "../model/assistant-message.js"
import type { Session } from "../model/session.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import { isOverflow } from "../session/overflow.js"
import { partsToPrune } from "../session/prune.js"
import type { MessageReference } from "../session/session-records.js"
import { SnapshotError } from "../snapshot/snapshot-error.js"
import { orAborted } from "./abort.js"
import type { AnswerOutcome, RunHandle } from "./answer.js"
import { requestCompaction, sumUp } from "./compaction.js"
import { type Conversation, isAnswered, readConversation } from "./conversation.js"
import { EngineError } from "./engine-error.js"
import type { EngineContext } from "./engine-options.js"
import { settleInterrupted } from "./interruption.js"
import { stepLimitError, toMessageError } from "./message-errors.js"
import { type CallerLimits, callerLimits } from "./rights.js"
import { doSubtask } from "./subtask.js"
import { takeStep } from "./take-step.js"
import { findUntitled, giveTitle } from "./title.js"

/** What a run tells the engine. */
export interface RunOptions {
  readonly sessionID: string
  /** The run is over; from now on nobody may join it. */
  readonly onEnd: () => void
  /** Work that goes on behind the back of the run. */
  readonly inBackground: (work: Promise<void>) => void
}

/** Works on a session until everything that was asked has its answer. */
export class Run implements RunHandle {
  status: SessionStatus = { type: "idle" }
  /** The last answer of the session, if there is one. */
  readonly ended: Promise<MessageWithParts | undefined>
  readonly #context: EngineContext
  readonly #options: RunOptions
  readonly #controller = new AbortController()
  #isAsked = true
  #isFirst = true
  /** Those since something was asked. */
  #steps = 0
  #isUnderWay = false
  /** The questions whose answers changed files. */
  readonly #changes = new Set<string>()
  #callers: CallerLimits | undefined
  #last: Conversation | undefined
  #lastAnswer: MessageReference | undefined

  constructor(context: EngineContext, options: RunOptions) {
    this.#context = context
    this.#options = options
    // The engine must know of the run before others hear of it.
    this.ended = Promise.resolve().then(() => this.#run())
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Has the run look at the session once more, for something was asked. */
  ask(): void {
    this.#isAsked = true
  }

  cancel(): void {
    this.#controller.abort(new EngineError("ABORTED", `The run of ${this.#options.sessionID} was cancelled`))
  }

  setStatus(status: SessionStatus): void {
    if (status.type === this.status.type && status.type !== "retry") return
    this.status = status
    this.#context.publish("session.status", { sessionID: this.#options.sessionID, status })
  }

  noteAnswer(answer: AssistantMessage, { hasChangedFiles }: { readonly hasChangedFiles: boolean }): void {
    this.#lastAnswer = answer
    if (hasChangedFiles && answer.parentID !== undefined) this.#changes.add(answer.parentID)
  }

  async #run(): Promise<MessageWithParts | undefined> {
    const { sessionID, onEnd } = this.#options
    const { sessions, publish } = this.#context
    this.setStatus({ type: "busy" })
    try {
      let last: MessageWithParts | undefined
      do {
        await this.#converse()
        await this.#tidyUp()
        last = this.#lastAnswer && (await sessions.messages.getWithParts(this.#lastAnswer))
      } while (this.#isAsked && !this.signal.aborted)
      return last
    } catch (error) {
      // The run was cancelled while it waited for something before an assistant message was begun.
      if (this.signal.aborted && error === this.signal.reason) return undefined
      publish("session.error", { sessionID, error: toMessageError(error, "") })
      throw error
    } finally {
      // Nothing is awaited since it was last looked whether something was asked.
      onEnd()
      this.setStatus({ type: "idle" })
      publish("session.idle", { sessionID })
    }
  }

  async #converse(): Promise<void> {
    while (!this.signal.aborted) {
      const conversation = await this.#read()
      if (conversation === undefined || isAnswered(conversation)) return
      const outcome = await this.#advance(conversation)
      if (outcome === "stop" && !this.#isAsked) return
      if (outcome !== "stop" && this.#steps >= this.#context.settings.stepLimit) return this.#endAtLimit()
      if (outcome === "compact")
        await requestCompaction(this.#context, this.#options.sessionID, { auto: true })
    }
  }

  async #endAtLimit(): Promise<void> {
    const { sessions, settings, publish } = this.#context
    const error = stepLimitError(settings.stepLimit)
    if (this.#lastAnswer !== undefined) {
      await sessions.messages.update<AssistantMessage>(this.#lastAnswer, (draft) => {
        draft.error = error
      })
    }
    publish("session.error", { sessionID: this.#options.sessionID, error })
  }

  async #read(): Promise<Conversation | undefined> {
    const { sessions } = this.#context
    const { sessionID } = this.#options
    if (this.#isAsked) {
      this.#steps = 0
      this.#callers = undefined
    }
    this.#isAsked = false
    const history = await sessions.history(sessionID)
    const isSettled = this.#isFirst && (await settleInterrupted(this.#context, history))
    this.#isFirst = false
    this.#last = readConversation(isSettled ? await sessions.history(sessionID) : history)
    this.#lastAnswer = this.#last?.lastAnswer
    return this.#last
  }

  async #advance(conversation: Conversation): Promise<AnswerOutcome> {
    const context = this.#context
    const { history, task, lastFinished } = conversation
    const session = await context.sessions.get(this.#options.sessionID)
    if (context.settings.titles && this.#steps === 0) this.#nameQuestion(session, history)
    this.#callers ??= await callerLimits(context, session)
    const callers = this.#callers
    const step = this.#steps++
    if (task?.part.type === "subtask") {
      await doSubtask(context, { session, conversation, ...task, part: task.part, callers, run: this })
      return "continue"
    }
    if (task?.part.type === "compaction") {
      return sumUp(context, { session, conversation, ...task, part: task.part, run: this })
    }
    if (lastFinished?.summary !== true && (await this.#isFull(conversation))) return "compact"
    const isUnderWay = this.#isUnderWay
    this.#isUnderWay = true
    return takeStep(context, { session, conversation, step, isUnderWay, callers, run: this })
  }

  #nameQuestion(session: Session, history: readonly MessageWithParts[]): void {
    const untitled = findUntitled(session, history)
    if (untitled !== undefined) this.#options.inBackground(giveTitle(this.#context, untitled))
  }

  async #isFull({ lastQuestion, lastFinished }: Conversation): Promise<boolean> {
    const { models, settings } = this.#context
    if (lastFinished === undefined || !settings.autoCompaction) return false
    const { model } = await orAborted(
      Promise.resolve(models.get(lastQuestion.model ?? models.default)),
      this.signal,
    )
    return isOverflow(lastFinished.tokens, model.limit)
  }

  async #tidyUp(): Promise<void> {
    const { sessions, settings, publish } = this.#context
    const { sessionID } = this.#options
    // The newest turn, which is all that was added since, is never pruned.
    if (settings.prune && partsToPrune(this.#last?.history ?? []).length > 0) await sessions.prune(sessionID)
    try {
      for (const messageID of this.#changes) await sessions.summarize(sessionID, { messageID })
      this.#changes.clear()
    } catch (error) {
      if (!SnapshotError.is(error)) throw error
      // What the files were like is lost, but the answer is not.
      publish("session.error", { sessionID, error: toMessageError(error, "") })
    }
  }
}

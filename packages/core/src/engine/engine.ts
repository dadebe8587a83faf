import { dirname } from "node:path"
import type { SessionStatus } from "../event/session-events.js"
import { compareMessages } from "../identifier/compare.js"
import type { Message } from "../model/message.js"
import type { ModelReference } from "../model/model-reference.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import { checkOptions } from "../storage/options.js"
import { addPrompt } from "./add-prompt.js"
import { requestCompaction } from "./compaction.js"
import { EngineError } from "./engine-error.js"
import { createEngineContext, type EngineContext, type EngineOptions } from "./engine-options.js"
import { FileWatcher } from "./file-watcher.js"
import { toMessageError } from "./message-errors.js"
import { checkPrompt, type PromptInput } from "./prompt-input.js"
import { Run } from "./run.js"

/** How to sum up a session. */
export interface CompactOptions {
  /** The model that was asked last when not given. */
  readonly model?: ModelReference | undefined
  /** Go on with the work afterwards; off by default. */
  readonly auto?: boolean | undefined
}

/**
 * Has models answer what is asked in sessions, with tools, until nothing is left to do.
 *
 * - A session is worked on by one run at a time. What is asked meanwhile is stored at once, and answered by that run.
 * - Everything is stored as it happens. What goes wrong with a model is stored in its answer, and the run ends; a
 *   store that fails makes the run reject.
 * - A run that ended in a crash is completed by the next one: tools that were at work are noted as interrupted, and
 *   nothing is done twice. No other engine may be working on the session then.
 * - Listeners hear of it by `session.status`, `session.idle`, `session.error`, `session.compacted`, and all that
 *   `Sessions` tells.
 *
 * @example
 * ```ts
 * const engine = new Engine({ sessions, bus, models, agents, tools, permissions })
 * const { id } = await sessions.create()
 * const { parts } = await engine.prompt(id, { parts: [{ type: "text", text: "Why does the login fail?" }] })
 * ```
 */
export class Engine implements AsyncDisposable {
  readonly #context: EngineContext
  readonly #runs = new Map<string, Run>()
  readonly #background = new Set<Promise<void>>()
  readonly #watcher: FileWatcher | undefined
  #isClosed = false

  /** @throws StorageError `INVALID_ARGUMENT` for missing, misspelt and ill-typed options */
  constructor(options: EngineOptions) {
    this.#context = createEngineContext(options, this)
    this.#watcher = watchFiles(this.#context)
  }

  /**
   * Asks something, and gives the last answer of the run, also when that has an `error`; with `noReply`, the question
   * as it was stored.
   *
   * @throws EngineError `INVALID_PROMPT`, `NOT_FOUND` for unknown agents, `ABORTED` when the run was cancelled before
   * an answer was begun, `CLOSED`; SessionError `NOT_FOUND`, `EXISTS`, `INVALID_RECORD`
   */
  async prompt(sessionID: string, input: PromptInput): Promise<MessageWithParts> {
    this.#refuseWhenClosed()
    checkPrompt(input)
    const question = await addPrompt(this.#context, sessionID, input)
    return input.noReply ? question : this.#answer(question.info)
  }

  /**
   * Sums a session up, so that models need not be shown what was said before, and gives the summary.
   *
   * @throws EngineError `BUSY` while a run is working on the session, `ABORTED`, `CLOSED`; SessionError `NOT_FOUND`
   */
  async compact(sessionID: string, options: CompactOptions = {}): Promise<MessageWithParts> {
    this.#refuseWhenClosed()
    checkOptions("compact", options, { model: "object?", auto: "boolean?" })
    this.assertIdle(sessionID)
    await this.#context.sessions.cleanUp(sessionID)
    const { model, auto = false } = options
    const question = await requestCompaction(this.#context, sessionID, { model, auto })
    return this.#answer(question)
  }

  /**
   * Goes on where a session was left off, such as after a crash, and gives its last answer, if there is one. When
   * everything was answered, nothing is asked.
   *
   * @throws EngineError `CLOSED`; SessionError `NOT_FOUND`
   */
  async resume(sessionID: string): Promise<MessageWithParts | undefined> {
    this.#refuseWhenClosed()
    return this.#join(sessionID)
  }

  /** Ends what is being done in a session. Answers end as they are; those who wait for one get that, or `ABORTED`. */
  cancel(sessionID: string): void {
    this.#runs.get(sessionID)?.cancel()
  }

  /** What a session is doing. */
  status(sessionID: string): SessionStatus {
    return this.#runs.get(sessionID)?.status ?? { type: "idle" }
  }

  /**
   * For what must not come between a run, such as `Sessions.revert`.
   *
   * @throws EngineError `BUSY`
   */
  assertIdle(sessionID: string): void {
    if (this.#runs.has(sessionID)) {
      throw new EngineError("BUSY", `Session ${sessionID} is being worked on: wait for it, or cancel it`)
    }
  }

  /**
   * Cancels all runs, and resolves when they have ended, and the titles under way are there. Files are no longer
   * watched. The sessions and their store stay open.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#watcher?.close()
    const runs = [...this.#runs.values()]
    for (const run of runs) run.cancel()
    await Promise.allSettled(runs.map(({ ended }) => ended))
    await Promise.all(this.#background)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #answer(question: Message): Promise<MessageWithParts> {
    const last = await this.#join(question.sessionID)
    if (last !== undefined && compareMessages(last.info, question) > 0) return last
    throw new EngineError("ABORTED", `The run was cancelled before it came to question ${question.id}`)
  }

  #join(sessionID: string): Promise<MessageWithParts | undefined> {
    const run = this.#runs.get(sessionID) ?? this.#start(sessionID)
    run.ask()
    return run.ended
  }

  #start(sessionID: string): Run {
    this.#refuseWhenClosed()
    const run = new Run(this.#context, {
      sessionID,
      onEnd: () => this.#runs.delete(sessionID),
      inBackground: (work) => this.#watch(sessionID, work),
    })
    this.#runs.set(sessionID, run)
    return run
  }

  #watch(sessionID: string, work: Promise<void>): void {
    const running = work
      .catch((error: unknown) => {
        this.#context.publish("session.error", { sessionID, error: toMessageError(error, "") })
      })
      .finally(() => this.#background.delete(running))
    this.#background.add(running)
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new EngineError("CLOSED", "The engine was closed")
  }
}

function watchFiles({ settings, worktree, publish }: EngineContext): FileWatcher | undefined {
  // Outside of repositories the worktree is the root of the file system.
  if (!settings.watchFiles || dirname(worktree) === worktree) return undefined
  return new FileWatcher({
    folder: worktree,
    onChange: (change) => publish("file.watcher.updated", change),
    onError: (error) => publish("session.error", { error: toMessageError(error, "") }),
  })
}

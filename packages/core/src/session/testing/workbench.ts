import { type BusEvent, EventBus } from "../../event/event-bus.js"
import type { SessionEvents } from "../../event/session-events.js"
import { MemoryStorage } from "../../storage/memory-storage.js"
import type { Storage } from "../../storage/storage.js"
import type { MessageFields } from "../messages.js"
import { Sessions } from "../sessions.js"
import type { SessionsOptions } from "../sessions-options.js"
import { model, noTokens } from "./records.js"

/** The project that the sessions of a workbench belong to. */
export const project = { id: "acme", worktree: "/home/dev/acme", vcs: "git" }

export const question: MessageFields & { role: "user" } = { role: "user", agent: "build", model }

export function answer(parentID: string): MessageFields & { role: "assistant" } {
  const path = { cwd: "/", root: "/" }
  return {
    role: "assistant",
    parentID,
    agent: "build",
    mode: "build",
    ...model,
    path,
    cost: 0,
    tokens: noTokens,
  }
}

/** Sessions in a store of their own, at a time of their own, with all events that they publish. */
export class Workbench {
  readonly storage: Storage
  readonly sessions: Sessions
  readonly events: BusEvent<SessionEvents>[] = []
  now = 1_800_000_000_000
  #timers: (() => void)[] = []

  constructor(options: Partial<SessionsOptions> = {}) {
    this.storage = options.storage ?? new MemoryStorage()
    const bus = new EventBus()
    bus.subscribe("*", (event) => this.events.push(event))
    this.sessions = new Sessions({
      project,
      bus,
      clock: () => this.now,
      timer: (callback) => {
        this.#timers.push(callback)
        return () => {
          this.#timers = this.#timers.filter((each) => each !== callback)
        }
      },
      ...options,
      storage: this.storage,
    })
  }

  /** The types of the events so far. */
  get told(): string[] {
    return this.events.map(({ type }) => type)
  }

  /** Lets all timers that are set run out. */
  runTimers(): void {
    for (const callback of this.#timers.splice(0)) callback()
  }

  /** All records, to see what has changed. */
  async records(): Promise<Record<string, unknown>> {
    const records: Record<string, unknown> = {}
    for await (const { key, value } of this.storage.scan([])) records[key.join("/")] = value
    return records
  }

  /** A session with a question and its answer, both a millisecond apart. */
  async conversation(): Promise<{ sessionID: string; questionID: string; answerID: string; textID: string }> {
    const { id: sessionID } = await this.sessions.create()
    const parts = [{ type: "text", text: "Why?" }] as const
    this.now++
    const { info: asked } = await this.sessions.messages.add(sessionID, question, parts)
    this.now++
    const answered = await this.sessions.messages.add(sessionID, answer(asked.id), [
      { type: "text", text: "" },
    ])
    const textID = answered.parts[0]?.id as string
    return { sessionID, questionID: asked.id, answerID: answered.info.id, textID }
  }
}

/** All that an iteration gives. */
export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

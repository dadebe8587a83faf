import type { EventBus } from "../event/event-bus.js"
import type { ReasoningPart, TextPart } from "../model/content-part.js"
import type { Part } from "../model/part.js"
import type { Timer } from "./session-context.js"
import { SessionError } from "./session-error.js"

/** A part that grows while a model speaks. */
export type GrowingPart = TextPart | ReasoningPart

/** What a {@link PartWriter} works with. */
export interface PartWriterDependencies {
  readonly publish: EventBus["publish"]
  readonly timer: Timer
  readonly interval: number
  /** Stores the part with what it has grown by, see `storePart`. */
  readonly store: () => Promise<unknown>
  /** The same, changed by `edit` and told to listeners. */
  readonly finish: (edit: (draft: GrowingPart) => void) => Promise<GrowingPart>
}

/**
 * Adds text to a part, piece by piece. Listeners hear of each piece at once; the part is stored now and then, so that
 * everything that is written for it, however many pieces there are, comes to at most three times its final size.
 * What was not stored yet is stored when the part is updated, at `flush` and at `end`. Whoever reads the part through
 * the same `Sessions` gets all of it.
 *
 * @example
 * ```ts
 * const writer = await sessions.parts.write(part)
 * for await (const delta of deltas) writer.append(delta)
 * await writer.end((draft) => {
 *   draft.text = draft.text.trimEnd()
 * })
 * ```
 */
export class PartWriter {
  readonly #dependencies: PartWriterDependencies
  #part: GrowingPart
  #unsaved = ""
  #size: number
  #written: number
  #cancelTimer: (() => void) | undefined
  #isStoring = false
  #isOpen = true

  constructor(part: GrowingPart, dependencies: PartWriterDependencies) {
    this.#part = part
    this.#dependencies = dependencies
    this.#size = sizeOf(part)
    this.#written = this.#size
  }

  /** The part as it was published last. It is shared: do not alter it. */
  get part(): GrowingPart {
    return this.#part
  }

  /**
   * Adds a piece and publishes `message.part.updated` with it.
   *
   * @throws SessionError `ENDED` after `end`, or when the part was removed
   */
  append(delta: string): void {
    if (!this.#isOpen) throw new SessionError("ENDED", `Part ${this.#part.id} takes no more text`)
    if (delta === "") return
    this.#unsaved += delta
    this.#size += sizeOf(delta) - QUOTES
    this.#part = { ...this.#part, text: this.#part.text + delta }
    this.#dependencies.publish("message.part.updated", { part: this.#part, delta })
    this.#schedule()
  }

  /** Stores what was not stored yet. */
  async flush(): Promise<void> {
    if (this.#unsaved !== "") await this.#dependencies.store()
  }

  /**
   * Stores the part for good, with whatever `edit` changes in it, and publishes it. When that fails nothing is
   * lost, and it may be tried again.
   */
  async end(edit: (draft: GrowingPart) => void = () => undefined): Promise<GrowingPart> {
    if (!this.#isOpen) throw new SessionError("ENDED", `Part ${this.#part.id} has been ended`)
    this.#isOpen = false
    try {
      const part = await this.#dependencies.finish(edit)
      this.abandon()
      return part
    } catch (error) {
      this.#isOpen = true
      throw error
    }
  }

  /** Forgets what was not stored, since the part is gone or complete. */
  abandon(): void {
    this.#isOpen = false
    this.#unsaved = ""
    this.#cancelTimer?.()
  }

  /** Adds to a draft of the stored part what it lacks, and gives that. */
  complete(draft: Part): string {
    ;(draft as GrowingPart).text += this.#unsaved
    return this.#unsaved
  }

  /** Notes that the part was stored, with this much of what it lacked. */
  noteStored(stored: Part, completed: string): void {
    this.#unsaved = this.#unsaved.slice(completed.length)
    this.#part = { ...(stored as GrowingPart), text: (stored as GrowingPart).text + this.#unsaved }
    const size = sizeOf(stored)
    this.#written += size
    this.#size = size + sizeOf(this.#unsaved) - QUOTES
  }

  #schedule(): void {
    if (this.#cancelTimer !== undefined || this.#isStoring) return
    this.#cancelTimer = this.#dependencies.timer(() => {
      this.#cancelTimer = undefined
      this.#storeIfWorthwhile()
    }, this.#dependencies.interval)
  }

  // As nothing is stored before the part is as large as all that was written for it, that comes to at most twice
  // its size at any time; storing it for good makes three.
  #storeIfWorthwhile(): void {
    if (this.#unsaved === "" || this.#size < this.#written) return
    this.#isStoring = true
    const next = () => {
      this.#isStoring = false
      if (this.#unsaved !== "" && this.#isOpen) this.#schedule()
    }
    // After a failure the text is still there to be stored; `flush` and `end` tell when that keeps failing.
    this.#dependencies.store().then(next, next)
  }
}

const QUOTES = 2

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

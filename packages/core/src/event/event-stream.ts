/**
 * Events to be taken with `for await`. They wait in a buffer of at most `limit`; when one more comes, the stream
 * takes no more and, after the events that it holds, fails with an {@link EventOverflowError}: a reader either
 * sees every event in order or learns that it has not.
 */
export class EventStream<Event> implements AsyncIterableIterator<Event, undefined>, AsyncDisposable {
  readonly #limit: number
  readonly #onEnd: () => void
  #buffer: Event[] = []
  #readers: Reader<Event>[] = []
  #state: "open" | "overflowed" | "ended" = "open"

  /** `onEnd` is called once, as soon as no more events are taken. */
  constructor(limit: number, onEnd: () => void) {
    this.#limit = limit
    this.#onEnd = onEnd
  }

  /** Hands an event to the reader who waits, else puts it into the buffer. */
  push(event: Event): void {
    if (this.#state !== "open") return
    const reader = this.#readers.shift()
    if (reader !== undefined) {
      reader.resolve({ done: false, value: event })
    } else if (this.#buffer.length < this.#limit) {
      this.#buffer.push(event)
    } else {
      this.#state = "overflowed"
      this.#onEnd()
    }
  }

  /** Ends the stream at once, for those who wait too; what is in the buffer is dropped. */
  end(): void {
    const wasOpen = this.#state === "open"
    this.#state = "ended"
    this.#buffer = []
    for (const reader of this.#readers) reader.resolve({ done: true, value: undefined })
    this.#readers = []
    if (wasOpen) this.#onEnd()
  }

  /**
   * The next event, when there is one.
   *
   * @throws EventOverflowError once, after the last event that the buffer could hold
   */
  async next(): Promise<IteratorResult<Event, undefined>> {
    if (this.#buffer.length > 0) return { done: false, value: this.#buffer.shift() as Event }
    if (this.#state === "open") return new Promise((resolve) => this.#readers.push({ resolve }))
    if (this.#state === "ended") return { done: true, value: undefined }
    this.#state = "ended"
    throw new EventOverflowError(this.#limit)
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    this.end()
    return { done: true, value: undefined }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end()
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

interface Reader<Event> {
  readonly resolve: (result: IteratorResult<Event, undefined>) => void
}

/** A reader of a stream fell so far behind that events were lost to it. */
export class EventOverflowError extends Error {
  override readonly name = "EventOverflowError"
  readonly code = "EVENT_OVERFLOW"
  readonly limit: number

  constructor(limit: number) {
    super(`More than ${limit} events were waiting to be read; read faster, or give the stream a higher limit`)
    this.limit = limit
  }
}

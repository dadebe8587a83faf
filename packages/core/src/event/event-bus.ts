import { EventStream } from "./event-stream.js"
import type { SessionEvents } from "./session-events.js"

/** An event as it goes over the wire. Asking for several names gives a union that `type` tells apart. */
export type BusEvent<Events extends object, Name extends keyof Events = keyof Events> = {
  [Each in Name]: { readonly type: Each; readonly properties: Events[Each] }
}[Name]

/** Takes events. What it returns is ignored, except that a promise which rejects counts as a failure. */
export type EventListener<Event> = (event: Event) => unknown

/** How a bus deals with its listeners. */
export interface EventBusOptions {
  /**
   * Told what a listener threw, and at which type of event. When not given, a process warning names the type and
   * the class of the error, but neither message nor event, which may hold secrets.
   */
  readonly onListenerError?: (error: unknown, type: string) => void
}

/** When a stream ends, and how much it holds. */
export interface EventStreamOptions {
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal
  /** How many events may wait to be read; 10,000 when not given. */
  readonly limit?: number
}

/**
 * Tells listeners what happens, within one process.
 *
 * - Every listener sees the events in the order in which they were published. What a listener publishes itself
 *   is delivered after the event at hand.
 * - {@link publish} calls the listeners before it returns, and never fails because of one.
 * - An event is shared by all listeners: neither they nor the publisher may alter it afterwards.
 *
 * @example
 * ```ts
 * const bus = new EventBus()
 * const unsubscribe = bus.subscribe("session.created", ({ properties }) => show(properties.info.title))
 * for await (const { type, properties } of bus.stream("*", { signal })) send(type, properties)
 * ```
 */
export class EventBus<Events extends object = SessionEvents> {
  readonly #onListenerError: (error: unknown, type: string) => void
  // Replaced, never altered: an event keeps the list of those who were subscribed when it was published.
  #subscriptions: readonly Subscription<Events>[] = []
  readonly #pending: Delivery<Events>[] = []
  #delivering = false

  constructor(options: EventBusOptions = {}) {
    this.#onListenerError = options.onListenerError ?? warn
  }

  /** Delivers an event to all who are subscribed now. */
  publish<Name extends keyof Events & string>(type: Name, properties: Events[Name]): void {
    const event = { type, properties } as BusEvent<Events> & { readonly type: string }
    this.#pending.push({ event, subscriptions: this.#subscriptions })
    if (this.#delivering) return
    this.#delivering = true
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      this.#deliver(next)
    }
    this.#delivering = false
  }

  /**
   * Calls `listener` for every event of the type, or of all types for `"*"`, published from now on. The function
   * that comes back ends that, also amid a delivery.
   */
  subscribe<Name extends keyof Events & string>(
    type: Name | "*",
    listener: EventListener<BusEvent<Events, Name>>,
  ): () => void {
    return this.#listen(type === "*" ? undefined : new Set([type]), listener)
  }

  /**
   * The events of these types published from now on, that is from this call and not from the first reading. The
   * stream ends when it is left, or when the signal says so.
   *
   * @throws EventOverflowError while it is read, when more than `limit` events were waiting
   */
  stream<Name extends keyof Events & string>(
    types: readonly Name[] | "*",
    options: EventStreamOptions = {},
  ): AsyncIterableIterator<BusEvent<Events, Name>, undefined> & AsyncDisposable {
    const { signal, limit = 10_000 } = options
    const stream = new EventStream<BusEvent<Events, Name>>(limit, () => {
      signal?.removeEventListener("abort", end)
      unsubscribe()
    })
    const end = () => stream.end()
    const unsubscribe = this.#listen<Name>(types === "*" ? undefined : new Set(types), (event) =>
      stream.push(event),
    )
    signal?.addEventListener("abort", end)
    if (signal?.aborted) end()
    return stream
  }

  #listen<Name extends keyof Events>(
    types: ReadonlySet<string> | undefined,
    listener: EventListener<BusEvent<Events, Name>>,
  ): () => void {
    const subscription: Subscription<Events> = {
      types,
      listener: listener as EventListener<BusEvent<Events>>,
      active: true,
    }
    this.#subscriptions = [...this.#subscriptions, subscription]
    return () => {
      subscription.active = false
      this.#subscriptions = this.#subscriptions.filter((each) => each !== subscription)
    }
  }

  #deliver({ event, subscriptions }: Delivery<Events>): void {
    for (const subscription of subscriptions) {
      if (!subscription.active || subscription.types?.has(event.type) === false) continue
      try {
        const result = subscription.listener(event)
        if (result instanceof Promise) result.catch((error: unknown) => this.#report(error, event.type))
      } catch (error) {
        this.#report(error, event.type)
      }
    }
  }

  #report(error: unknown, type: string): void {
    try {
      this.#onListenerError(error, type)
    } catch (failure) {
      warn(failure, type)
    }
  }
}

interface Subscription<Events extends object> {
  /** All types when absent. */
  readonly types: ReadonlySet<string> | undefined
  readonly listener: EventListener<BusEvent<Events>>
  active: boolean
}

interface Delivery<Events extends object> {
  readonly event: BusEvent<Events> & { readonly type: string }
  readonly subscriptions: readonly Subscription<Events>[]
}

function warn(error: unknown, type: string): void {
  const kind = error instanceof Error ? error.constructor.name : typeof error
  process.emitWarning(
    `A listener of ${type} events failed (${kind}); see the option onListenerError of EventBus`,
    {
      code: "SESSILE_LISTENER_ERROR",
    },
  )
}

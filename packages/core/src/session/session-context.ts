import type { EventBus } from "../event/event-bus.js"
import type { Identifiers } from "../identifier/create-identifiers.js"
import type { KeyLock } from "../storage/key-lock.js"
import type { Storage } from "../storage/storage.js"
import type { PartWriter } from "./part-writer.js"

/** What the operations of one `Sessions` share. */
export interface SessionContext {
  readonly storage: Storage
  readonly projectID: string
  readonly clock: () => number
  readonly identifiers: Identifiers
  /**
   * By session id: changes of one session happen, and are told, one after the other. Whoever also needs
   * {@link TREE_LOCK} or a `shareLock` takes it first, in that order.
   */
  readonly locks: KeyLock
  readonly publish: EventBus["publish"]
  /** The parts that are growing, by id. */
  readonly writers: Map<string, PartWriter>
  /** Calls back after some milliseconds, unless the function that it gives is called before. */
  readonly timer: Timer
  /** How long text may wait to be stored while a part grows, in milliseconds. */
  readonly storeInterval: number
}

/** Calls `callback` after `delay` milliseconds; the function that comes back cancels that. */
export type Timer = (callback: () => void, delay: number) => () => void

/** Held shared by whoever gives a session a parent, and exclusively by whoever takes parents away. */
export const TREE_LOCK = "tree"

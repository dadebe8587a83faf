import type { EventBus } from "../event/event-bus.js"
import { createIdentifiers, type Identifiers, identifiers } from "../identifier/create-identifiers.js"
import type { Project } from "../model/project.js"
import type { Snapshots } from "../snapshot/snapshots.js"
import { KeyLock } from "../storage/key-lock.js"
import { checkOptions } from "../storage/options.js"
import type { Storage } from "../storage/storage.js"
import type { SessionContext, Timer } from "./session-context.js"
import type { ShareService } from "./share-session.js"

/** What `Sessions` work on and with. */
export interface SessionsOptions {
  readonly storage: Storage
  /** Whose sessions they are, see `Projects.resolve`. */
  readonly project: Pick<Project, "id" | "worktree" | "vcs">
  /** Is told what happens. */
  readonly bus?: Pick<EventBus, "publish"> | undefined
  /** Makes the ids; by default the shared generator, or one of its own when `clock` or `random` is given. */
  readonly identifiers?: Identifiers | undefined
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly clock?: (() => number) | undefined
  /** Gives `size` random bytes; the Web Crypto of the runtime when not given. */
  readonly random?: ((size: number) => Uint8Array) | undefined
  /** Calls back later; `setTimeout` when not given. */
  readonly timer?: Timer | undefined
  /** How long text may wait to be stored while a part grows, in milliseconds; 500 by default. */
  readonly storeInterval?: number | undefined
  /** The program that makes the sessions, and its version; noted in each. */
  readonly version?: string | undefined
  /** The folder that new sessions are held in; the worktree by default. */
  readonly directory?: string | undefined
  /** The worktree that is worked in, when it is not the main one of the project. */
  readonly worktree?: string | undefined
  /** Takes files back and forth; without it only conversations are. */
  readonly snapshots?: Snapshots | undefined
  readonly shareService?: ShareService | undefined
  /**
   * What is shared: by default, `manual`, what `share` is called for; with `auto` also every new session, as soon as it
   * is there, unless it has a parent; with `disabled` nothing.
   */
  readonly share?: "manual" | "auto" | "disabled" | undefined
  /** Where plans are kept outside of repositories. */
  readonly plansFolder?: string | undefined
}

const optionShape = {
  storage: "object",
  project: "object",
  bus: "object?",
  identifiers: "object?",
  clock: "function?",
  random: "function?",
  timer: "function?",
  storeInterval: "count?",
  version: "string?",
  directory: "string?",
  worktree: "string?",
  snapshots: "object?",
  shareService: "object?",
  share: ["manual", "auto", "disabled"],
  plansFolder: "string?",
} as const

const DEFAULT_STORE_INTERVAL = 500

/** Checks the options, and makes what all operations share. */
export function createContext(options: SessionsOptions): SessionContext {
  checkOptions("Sessions", options, optionShape)
  const { storage, project, bus, clock = () => Date.now(), random } = options
  const isControlled = options.clock !== undefined || random !== undefined
  const generator = isControlled ? createIdentifiers({ clock, ...(random && { random }) }) : identifiers
  return {
    storage,
    projectID: project.id,
    clock,
    identifiers: options.identifiers ?? generator,
    locks: new KeyLock(),
    publish: (type, properties) => bus?.publish(type, properties),
    writers: new Map(),
    timer: options.timer ?? startTimer,
    storeInterval: options.storeInterval ?? DEFAULT_STORE_INTERVAL,
  }
}

// It must not keep a process alive that has nothing else to do.
function startTimer(callback: () => void, delay: number): () => void {
  const timeout = setTimeout(callback, delay).unref()
  return () => clearTimeout(timeout)
}

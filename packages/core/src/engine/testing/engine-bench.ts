import { z } from "zod"
import { type BusEvent, EventBus } from "../../event/event-bus.js"
import type { SessionEvents } from "../../event/session-events.js"
import { createIdentifiers } from "../../identifier/create-identifiers.js"
import type { Part } from "../../model/part.js"
import { Permissions } from "../../permission/permissions.js"
import type { MessageWithParts } from "../../session/message-with-parts.js"
import { Sessions } from "../../session/sessions.js"
import { MemoryStorage } from "../../storage/memory-storage.js"
import type { Storage } from "../../storage/storage.js"
import type { Agent } from "../agent.js"
import { Agents } from "../agents/agents.js"
import { builtInAgents } from "../agents/built-in-agents.js"
import { DriverError } from "../driver-error.js"
import { Engine } from "../engine.js"
import type { EngineOptions } from "../engine-options.js"
import type { Model } from "../model.js"
import type { Plugin } from "../plugin.js"
import { Plugins } from "../plugins.js"
import type { Tool } from "../tool.js"
import { type Reply, ScriptedDriver } from "./scripted-driver.js"

export const large: Model = {
  providerID: "mock",
  modelID: "large",
  limit: { context: 100_000, output: 8_000 },
  cost: { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } },
}

export const small: Model = { ...large, modelID: "small" }

/** What a test sets up; everything else is as usual, except that titles are not made. */
export interface BenchOptions extends Partial<Omit<EngineOptions, "plugins" | "agents" | "tools">> {
  readonly storage?: Storage
  /** What the large model says, reply by reply. */
  readonly replies?: readonly Reply[]
  /** Besides the built-in ones. */
  readonly agents?: readonly Agent[]
  readonly tools?: readonly Tool[]
  readonly plugins?: readonly Plugin[]
  readonly limit?: Model["limit"]
  readonly project?: { id: string; worktree: string; vcs?: string }
}

/** An engine with scripted models, on a store, at a time and with timers of its own. */
export class EngineBench {
  readonly storage: Storage
  readonly bus = new EventBus()
  readonly events: BusEvent<SessionEvents>[] = []
  readonly sessions: Sessions
  readonly permissions: Permissions
  readonly engine: Engine
  readonly driver: ScriptedDriver
  readonly smallDriver = new ScriptedDriver()
  readonly timers: { readonly callback: () => void; readonly delay: number }[] = []
  now = 1_800_000_000_000
  readonly #plugins: Plugins

  constructor(options: BenchOptions = {}) {
    const { storage, replies = [], agents = [], tools = [], plugins = [], limit, project, ...rest } = options
    this.storage = storage ?? new MemoryStorage()
    this.driver = new ScriptedDriver(replies)
    this.bus.subscribe("*", (event) => this.events.push(event))
    const clock = () => this.now
    const identifiers = createIdentifiers({ clock })
    this.sessions = new Sessions({
      storage: this.storage,
      project: project ?? { id: "acme", worktree: "/home/dev/acme" },
      bus: this.bus,
      clock,
      identifiers,
      timer: this.#timer,
    })
    this.#plugins = new Plugins(plugins)
    this.permissions = new Permissions({ bus: this.bus, identifiers, plugins: this.#plugins })
    const model = limit === undefined ? large : { ...large, limit }
    this.engine = new Engine({
      sessions: this.sessions,
      bus: this.bus,
      models: {
        default: large,
        small,
        get: ({ modelID }) => {
          if (modelID === small.modelID) return { model: small, driver: this.smallDriver }
          return { model: { ...model, modelID }, driver: this.driver }
        },
      },
      agents: new Agents({ agents: [...builtInAgents(), ...agents] }),
      tools,
      permissions: this.permissions,
      plugins: this.#plugins,
      settings: { titles: false },
      identifiers,
      clock,
      timer: this.#timer,
      ...rest,
    })
  }

  /** A new session in which this was asked and answered. */
  async ask(text: string, input: Partial<Parameters<Engine["prompt"]>[1]> = {}): Promise<Asked> {
    const { id: sessionID } = await this.sessions.create()
    const answer = await this.prompt(sessionID, text, input)
    return { sessionID, answer }
  }

  prompt(
    sessionID: string,
    text: string,
    input: Partial<Parameters<Engine["prompt"]>[1]> = {},
  ): Promise<MessageWithParts> {
    return this.engine.prompt(sessionID, { parts: [{ type: "text", text }], ...input })
  }

  /** Resolves with the first event of the type, from now on, that fits. */
  next<Name extends keyof SessionEvents>(
    type: Name,
    fits: (properties: SessionEvents[Name]) => boolean = () => true,
  ): Promise<SessionEvents[Name]> {
    return new Promise((resolve) => {
      const unsubscribe = this.bus.subscribe(type, ({ properties }) => {
        if (!fits(properties as SessionEvents[Name])) return
        unsubscribe()
        resolve(properties as SessionEvents[Name])
      })
    })
  }

  /** The types of status that were told, in order. */
  get statuses(): string[] {
    return this.events.flatMap((event) =>
      event.type === "session.status" ? [event.properties.status.type] : [],
    )
  }

  /** Lets all timers that are set run out, and gives their delays. */
  runTimers(): number[] {
    return this.timers.splice(0).map(({ callback, delay }) => {
      callback()
      return delay
    })
  }

  readonly #timer = (callback: () => void, delay: number) => {
    const timer = { callback, delay }
    this.timers.push(timer)
    return () => {
      const index = this.timers.indexOf(timer)
      if (index !== -1) this.timers.splice(index, 1)
    }
  }
}

export interface Asked {
  readonly sessionID: string
  readonly answer: MessageWithParts
}

/** A tool that gives back the text that it is given. */
export const echo: Tool = {
  name: "echo",
  description: "Says it again",
  input: z.object({ text: z.string() }),
  execute: async (input) => {
    const { text } = input as { text: string }
    return { title: "Echo", output: text, metadata: { length: text.length } }
  },
}

/** A tool that does whatever a test wants. */
export function toolOf(name: string, execute: Tool["execute"], fields: Partial<Tool> = {}): Tool {
  return { name, description: name, input: z.object({}), execute, ...fields }
}

/** The types of parts, in order. */
export function typesOf({ parts }: { readonly parts: readonly Part[] }): string[] {
  return parts.map(({ type }) => type)
}

/** The states of the tool calls of a message. */
export function toolStates({ parts }: MessageWithParts) {
  return parts.flatMap((part) => (part.type === "tool" ? [part.state] : []))
}

/** All that a model said in a message. */
export function textsOf({ parts }: MessageWithParts): string[] {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
}

export function apiError(statusCode: number, responseHeaders?: Record<string, string>): DriverError {
  const details = { statusCode, ...(responseHeaders && { responseHeaders }) }
  return new DriverError("api", `Status ${statusCode}`, details)
}

/** Something to wait for until a test lets it happen. */
export class Gate {
  open: () => void = () => undefined
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve
  })
}

import type { EventBus } from "../event/event-bus.js"
import { type Identifiers, identifiers } from "../identifier/create-identifiers.js"
import type { Session } from "../model/session.js"
import type { Permissions } from "../permission/permissions.js"
import type { Timer } from "../session/session-context.js"
import type { Sessions } from "../session/sessions.js"
import { NoSnapshots } from "../snapshot/no-snapshots.js"
import type { Snapshots } from "../snapshot/snapshots.js"
import { KeyLock } from "../storage/key-lock.js"
import { checkOptions } from "../storage/options.js"
import type { Agent } from "./agent.js"
import type { Agents } from "./agents/agents.js"
import type { Engine } from "./engine.js"
import type { Model, Models } from "./model.js"
import { Plugins } from "./plugins.js"
import type { Tool } from "./tool.js"

/** What an `Engine` works on and with. */
export interface EngineOptions {
  readonly sessions: Sessions
  /** Is told what sessions are doing; the same that the sessions tell. */
  readonly bus: Pick<EventBus, "publish">
  readonly models: Models
  readonly agents: Agents
  /** What models can do. A `task` tool, by which agents give tasks to others, is added unless there is one. */
  readonly tools: readonly Tool[]
  readonly permissions: Permissions
  readonly plugins?: Plugins | undefined
  /** Gives the layers of the system prompt; by default the prompt of the agent is all. */
  readonly systemPrompt?: SystemPrompt | undefined
  readonly settings?: EngineSettings | undefined
  /** The root of what is worked on; that of the sessions when not given. */
  readonly worktree?: string | undefined
  /** Notes what each step changes; without it nothing is noted. */
  readonly snapshots?: Snapshots | undefined
  /** Makes ids, best the same that the sessions use; by default the shared generator. */
  readonly identifiers?: Identifiers | undefined
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly clock?: (() => number) | undefined
  /** Calls back later; `setTimeout` when not given. */
  readonly timer?: Timer | undefined
}

/** Gives the layers of a system prompt. */
export type SystemPrompt = (context: SystemPromptContext) => Promise<readonly string[]>

/** For whom a system prompt is. */
export interface SystemPromptContext {
  readonly agent: Agent
  readonly model: Model
  readonly session: Session
}

/** What the engine does unasked. All switches but `watchFiles` are on by default. */
export interface EngineSettings {
  /** Sums a conversation up when it outgrows the context of its model. */
  readonly autoCompaction?: boolean | undefined
  /** Takes old outputs of tools out of the context. */
  readonly prune?: boolean | undefined
  /** Gives titles to questions, and to sessions that have none. */
  readonly titles?: boolean | undefined
  /**
   * Tells of files in the worktree that change, by `file.watcher.updated`, until the engine is closed. Left out are the
   * folders of version control, dependencies, caches and build outputs, such as `.git`, `node_modules` and `dist`.
   * Where the system cannot watch, `session.error` says so once, and all else goes on.
   */
  readonly watchFiles?: boolean | undefined
  /**
   * How many steps a run may take for one user message, whatever its agent says; 500 when not given. The last assistant
   * message then has an `UnknownError` that says so, and the next prompt goes on.
   */
  readonly stepLimit?: number | undefined
}

/** The settings with their defaults filled in. */
export type CompleteSettings = {
  readonly [Name in keyof EngineSettings]-?: NonNullable<EngineSettings[Name]>
}

const DEFAULT_STEP_LIMIT = 500

/** What the pieces of one engine share. */
export interface EngineContext {
  readonly sessions: Sessions
  readonly publish: EventBus["publish"]
  readonly models: Models
  readonly agents: Agents
  readonly tools: readonly Tool[]
  readonly permissions: Permissions
  readonly plugins: Plugins
  readonly systemPrompt: SystemPrompt
  readonly settings: CompleteSettings
  readonly worktree: string
  readonly snapshots: Snapshots
  readonly identifiers: Identifiers
  readonly clock: () => number
  readonly timer: Timer
  /** By session id: questions are added one after the other. */
  readonly locks: KeyLock
  /** Runs the sessions of subagents. */
  readonly engine: Pick<Engine, "prompt" | "cancel" | "status">
}

const optionShape = {
  sessions: "object",
  bus: "object",
  models: "object",
  agents: "object",
  tools: "array",
  permissions: "object",
  plugins: "object?",
  systemPrompt: "function?",
  settings: "object?",
  worktree: "string?",
  snapshots: "object?",
  identifiers: "object?",
  clock: "function?",
  timer: "function?",
} as const

/**
 * Checks the options, and fills in what was not given.
 *
 * @throws StorageError `INVALID_ARGUMENT`
 */
export function createEngineContext(options: EngineOptions, engine: EngineContext["engine"]): EngineContext {
  checkOptions("Engine", options, optionShape)
  const { bus, settings = {} } = options
  checkOptions("Engine settings", settings, {
    autoCompaction: "boolean?",
    prune: "boolean?",
    titles: "boolean?",
    watchFiles: "boolean?",
    stepLimit: "count?",
  })
  return {
    sessions: options.sessions,
    publish: (type, properties) => bus.publish(type, properties),
    models: options.models,
    agents: options.agents,
    tools: options.tools,
    permissions: options.permissions,
    plugins: options.plugins ?? new Plugins(),
    systemPrompt: options.systemPrompt ?? agentPrompt,
    settings: {
      autoCompaction: settings.autoCompaction ?? true,
      prune: settings.prune ?? true,
      titles: settings.titles ?? true,
      watchFiles: settings.watchFiles ?? false,
      stepLimit: settings.stepLimit ?? DEFAULT_STEP_LIMIT,
    },
    worktree: options.worktree ?? options.sessions.worktree,
    snapshots: options.snapshots ?? new NoSnapshots(),
    identifiers: options.identifiers ?? identifiers,
    clock: options.clock ?? (() => Date.now()),
    timer: options.timer ?? startTimer,
    locks: new KeyLock(),
    engine,
  }
}

/** The prompt of the agent alone. */
export async function agentPrompt({ agent }: Pick<SystemPromptContext, "agent">): Promise<string[]> {
  return agent.prompt === undefined ? [] : [agent.prompt]
}

function startTimer(callback: () => void, delay: number): () => void {
  const timeout = setTimeout(callback, delay)
  return () => clearTimeout(timeout)
}

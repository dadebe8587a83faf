import { Agents, builtInAgents, Engine, type EngineOptions, type ModelDriver } from "@sessile/core/engine"
import { EventBus } from "@sessile/core/event"
import { Permissions } from "@sessile/core/permission"
import { Sessions, type SessionsOptions } from "@sessile/core/session"
import type { Storage } from "@sessile/core/storage"

export const project = { id: "acme", worktree: "/home/dev/acme", vcs: "git" }

const large = {
  providerID: "mock",
  modelID: "large",
  limit: { context: 100_000, output: 8_000 },
  cost: { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } },
}

/** What may be chosen of an engine and its sessions. */
export interface OpenEngineOptions
  extends Pick<EngineOptions, "tools" | "settings">,
    Pick<SessionsOptions, "clock" | "identifiers" | "random"> {
  /** Speaks for all models. */
  readonly driver: ModelDriver
}

/** An engine, and what it works on. */
export interface OpenEngine {
  readonly engine: Engine
  readonly sessions: Sessions
  readonly permissions: Permissions
  readonly bus: EventBus
}

/** An engine on a store, with the built-in agents and a large and a small model. */
export function openEngine(storage: Storage, options: OpenEngineOptions): OpenEngine {
  const { driver, tools, settings, random, ...common } = options
  const bus = new EventBus()
  const sessions = new Sessions({ storage, project, bus, random, ...common })
  const permissions = new Permissions({ bus, identifiers: common.identifiers })
  const engine = new Engine({
    sessions,
    bus,
    models: {
      default: large,
      small: { ...large, modelID: "small" },
      get: ({ modelID }) => ({ model: { ...large, modelID }, driver }),
    },
    agents: new Agents({ agents: builtInAgents() }),
    tools,
    permissions,
    settings,
    worktree: project.worktree,
    ...common,
  })
  return { engine, sessions, permissions, bus }
}

import { dirname, join } from "node:path"
import { Agents, builtInAgents, Engine } from "@sessile/core/engine"
import { EventBus } from "@sessile/core/event"
import { Permissions } from "@sessile/core/permission"
import { Projects } from "@sessile/core/project"
import { Sessions } from "@sessile/core/session"
import { GitSnapshots } from "@sessile/core/snapshot"
import type { ModelServer } from "@sessile/model-server"
import { JsonStorage } from "@sessile/storage-json"
import { engineModels, large } from "./engine-models.js"
import { type EngineProgram, familyOf, type Question } from "./engine-program.js"
import { opencodeTools } from "./engine-tools.js"
import type { ExportedSession } from "./exported-session.js"
import { sessionsIn } from "./stored-sessions.js"

/** Where an engine works, and the folder of its store. */
export interface EnginePlace {
  readonly worktree: string
  readonly storage: string
}

/** The engine on a store of JSON files. */
export class SessileEngine implements EngineProgram {
  readonly worktree: string
  readonly #storage: JsonStorage
  readonly #sessions: Sessions
  readonly #engine: Engine

  private constructor(worktree: string, storage: JsonStorage, sessions: Sessions, engine: Engine) {
    this.worktree = worktree
    this.#storage = storage
    this.#sessions = sessions
    this.#engine = engine
  }

  static async start({ url }: ModelServer, { worktree, storage: path }: EnginePlace): Promise<SessileEngine> {
    const storage = await JsonStorage.open({ path })
    const bus = new EventBus()
    const project = await new Projects({ storage }).resolve(worktree)
    const snapshots = await GitSnapshots.open({ worktree, folder: join(dirname(path), "engine-snapshots") })
    const sessions = new Sessions({ storage, project, bus, snapshots })
    const engine = new Engine({
      sessions,
      bus,
      models: engineModels(url),
      agents: new Agents({ agents: builtInAgents() }),
      tools: opencodeTools(sessions, worktree),
      permissions: new Permissions({ bus }),
      worktree,
      snapshots,
    })
    return new SessileEngine(worktree, storage, sessions, engine)
  }

  async createSession(): Promise<string> {
    return (await this.#sessions.create()).id
  }

  async ask(sessionID: string, question: Question): Promise<void> {
    await this.#engine.prompt(sessionID, question)
  }

  async compact(sessionID: string): Promise<void> {
    await this.#engine.compact(sessionID, { model: large })
  }

  async stepBegun(): Promise<void> {
    // Its tools never begin before the step does.
  }

  async stored(sessionID: string): Promise<ExportedSession[]> {
    return familyOf(await sessionsIn(this.#storage), sessionID)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close()
    await this.#storage.close()
  }
}

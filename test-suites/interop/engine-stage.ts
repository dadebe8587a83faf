import { join } from "node:path"
import { type TemporaryFolder, temporaryFolder } from "@sessile/fixtures"
import { answer, inOrder, ModelServer, type Reply, type Script, text } from "@sessile/model-server"
import { expect, vi } from "vitest"
import { comparable, outline } from "./engine-comparison.js"
import { small } from "./engine-models.js"
import { ServingOpencode } from "./engine-opencode.js"
import type { EngineProgram, Question } from "./engine-program.js"
import { SessileEngine } from "./engine-sessile.js"
import { makeWorktree } from "./worktree.js"

/** A conversation that can be held with any program. */
export interface Scenario {
  /** What is asked, one after the other. */
  readonly questions: readonly (Question | "compact")[]
  /** What the models say to that, request by request; titles aside. */
  readonly replies: (program: EngineProgram, sessionID: string) => readonly Reply[]
  /** What is stored then, see {@link outline}. */
  readonly outline: readonly string[]
}

const TITLE = answer(text("A title"))

/** opencode 1.1.65 and the engine, with the same models. */
export class EngineStage implements AsyncDisposable {
  readonly #folder: TemporaryFolder
  readonly #models: ModelServer
  readonly #programs: { readonly opencode: EngineProgram; readonly sessile: EngineProgram }
  /** What the models say at present. */
  readonly #spoken: { script: Script }

  private constructor(
    folder: TemporaryFolder,
    models: ModelServer,
    programs: { opencode: EngineProgram; sessile: EngineProgram },
    spoken: { script: Script },
  ) {
    this.#folder = folder
    this.#models = models
    this.#programs = programs
    this.#spoken = spoken
  }

  static async open(): Promise<EngineStage> {
    const spoken = { script: inOrder() }
    const models = await ModelServer.start((request) => {
      return request.model === small.modelID ? TITLE : spoken.script(request)
    })
    const folder = await temporaryFolder()
    const place = { worktree: join(folder.path, "acme"), storage: join(folder.path, "storage") }
    await makeWorktree(place.worktree)
    const opencode = await ServingOpencode.start(models)
    const sessile = await SessileEngine.start(models, place)
    return new EngineStage(folder, models, { opencode, sessile }, spoken)
  }

  /** Holds a conversation with both, and expects them to store the same. */
  async compare(scenario: Scenario): Promise<void> {
    const { opencode, sessile } = this.#programs
    const opencodeID = await this.#hold(scenario, opencode)
    const sessileID = await this.#hold(scenario, sessile)
    const check = async () => {
      const expected = await opencode.stored(opencodeID)
      const actual = await sessile.stored(sessileID)
      expect(outline(expected)).toEqual(scenario.outline)
      expect(comparable(actual, sessile.worktree)).toEqual(comparable(expected, opencode.worktree))
    }
    // Titles, and what was changed, come after the answer.
    await vi.waitFor(check, { timeout: 10_000, interval: 100 })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { opencode, sessile } = this.#programs
    for (const each of [sessile, opencode, this.#models, this.#folder]) await each[Symbol.asyncDispose]()
  }

  async #hold({ questions, replies }: Scenario, program: EngineProgram): Promise<string> {
    const sessionID = await program.createSession()
    this.#spoken.script = inOrder(...replies(program, sessionID))
    for (const question of questions) {
      if (question === "compact") await program.compact(sessionID)
      else await program.ask(sessionID, question)
    }
    return sessionID
  }
}

import type { ModelServer } from "@sessile/model-server"
import { expect, vi } from "vitest"
import { large, opencodeSettings } from "./engine-models.js"
import { type EngineProgram, familyOf, type Question } from "./engine-program.js"
import type { ExportedRecord, ExportedSession } from "./exported-session.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import type { OpencodeServer } from "./opencode-server.js"
import { storedSessions } from "./stored-sessions.js"

/** A sandbox with an opencode, 1.1.65 by default, whose models are those of a server. */
export async function opencodeWithModels(models: ModelServer, version = "1.1.65"): Promise<OpencodeSandbox> {
  const sandbox = await OpencodeSandbox.create(version)
  await sandbox.configure(opencodeSettings(models.url))
  await sandbox.reachPort(Number(new URL(models.url).port))
  return sandbox
}

/** opencode 1.1.65 as it serves. */
export class ServingOpencode implements EngineProgram {
  readonly #sandbox: OpencodeSandbox
  readonly #server: OpencodeServer

  private constructor(sandbox: OpencodeSandbox, server: OpencodeServer) {
    this.#sandbox = sandbox
    this.#server = server
  }

  static async start(models: ModelServer): Promise<ServingOpencode> {
    const sandbox = await opencodeWithModels(models)
    return new ServingOpencode(sandbox, await sandbox.serve())
  }

  get worktree(): string {
    return this.#sandbox.worktree
  }

  async createSession(): Promise<string> {
    return (await this.#server.post<ExportedRecord>("/session", {})).id
  }

  async ask(sessionID: string, question: Question): Promise<void> {
    await this.#server.post(`/session/${sessionID}/message`, question)
  }

  async compact(sessionID: string): Promise<void> {
    const { providerID, modelID } = large
    await this.#server.post(`/session/${sessionID}/summarize`, { providerID, modelID })
  }

  async stepBegun(sessionID: string): Promise<void> {
    const check = async () => {
      const messages = await this.#server.messages(sessionID)
      expect(messages.at(-1)?.parts.map(({ type }) => type)).toContain("step-start")
    }
    await vi.waitFor(check, { timeout: 10_000 })
  }

  async stored(sessionID: string): Promise<ExportedSession[]> {
    return familyOf(await storedSessions(this.#sandbox.storage), sessionID)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
    await this.#sandbox[Symbol.asyncDispose]()
  }
}

import type { Session } from "../model/session.js"
import type { SessionContext } from "./session-context.js"
import { type ShareService, shareSession } from "./share-session.js"

/** Shares new sessions, in the background. */
export class AutoShare {
  readonly #context: SessionContext
  readonly #service: ShareService
  readonly #underWay = new Set<Promise<void>>()

  constructor(context: SessionContext, service: ShareService) {
    this.#context = context
    this.#service = service
  }

  /** Begins to share a session, unless it is the child of another. A failure is told as `session.error`. */
  begin({ id, parentID }: Session): void {
    if (parentID !== undefined) return
    const sharing = this.#share(id).finally(() => this.#underWay.delete(sharing))
    this.#underWay.add(sharing)
  }

  /** Resolves when all that has begun is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async #share(sessionID: string): Promise<void> {
    try {
      await shareSession(this.#context, this.#service, sessionID)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#context.publish("session.error", {
        sessionID,
        error: { name: "UnknownError", data: { message } },
      })
    }
  }
}

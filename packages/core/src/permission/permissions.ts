import type { EventBus } from "../event/event-bus.js"
import type { PermissionReply, PermissionRequest } from "../event/session-events.js"
import { type Identifiers, identifiers } from "../identifier/create-identifiers.js"
import type { PermissionRuleset } from "../model/permission.js"
import { checkOptions } from "../storage/options.js"
import type { Storage } from "../storage/storage.js"
import { type ApprovedRules, approvedInMemory, approvedInStorage } from "./approved-rules.js"
import { evaluatePermission } from "./evaluate-permission.js"
import type { PermissionAsk } from "./permission-ask.js"
import { PermissionError } from "./permission-error.js"

/** What `Permissions` work with. */
export interface PermissionsOptions {
  /** Is told of questions and replies. */
  readonly bus: Pick<EventBus, "publish">
  /** Keeps what is allowed for good; without it that holds as long as the object. */
  readonly remember?: { readonly storage: Storage; readonly projectID: string } | undefined
  /** Makes the ids of requests; the shared generator when not given. */
  readonly identifiers?: Identifiers | undefined
  /** Their hook `permission.ask` may decide what the rules leave to people. */
  readonly plugins?: PermissionPlugins | undefined
}

/** What `Permissions` need of `Plugins`. */
export interface PermissionPlugins {
  trigger(
    name: "permission.ask",
    input: PermissionAsk,
    output: { status: "ask" | "allow" | "deny" },
  ): Promise<{ status: "ask" | "allow" | "deny" }>
}

/**
 * Decides for one project what may be done: by rules, by what people have allowed for good, by plugins, and else by
 * asking. Whoever shows questions to people listens for `permission.asked`, and calls {@link reply}.
 *
 * @example
 * ```ts
 * const permissions = new Permissions({ bus })
 * bus.subscribe("permission.asked", async ({ properties: request }) => {
 *   await permissions.reply(request.id, (await confirm(request)) ? "once" : "reject")
 * })
 * await permissions.ask({ sessionID, permission: "bash", patterns: ["git push"], ruleset: agent.permission })
 * ```
 */
export class Permissions {
  readonly #bus: Pick<EventBus, "publish">
  readonly #identifiers: Identifiers
  readonly #plugins: PermissionPlugins | undefined
  readonly #approved: ApprovedRules
  readonly #pending = new Map<string, PendingRequest>()

  constructor(options: PermissionsOptions) {
    checkOptions("Permissions", options, {
      bus: "object",
      remember: "object?",
      identifiers: "object?",
      plugins: "object?",
    })
    const { remember } = options
    this.#bus = options.bus
    this.#identifiers = options.identifiers ?? identifiers
    this.#plugins = options.plugins
    this.#approved =
      remember === undefined ? approvedInMemory() : approvedInStorage(remember.storage, remember.projectID)
  }

  /**
   * Resolves when all that is asked for is allowed. What a rule denies stays denied, whatever was allowed for good.
   *
   * @throws PermissionError `DENIED`, `REJECTED` or `WITHDRAWN`; StorageError when what is allowed cannot be read
   */
  async ask(ask: PermissionAsk): Promise<void> {
    const { permission, ruleset } = ask
    const patterns = ask.patterns.length === 0 ? ["*"] : ask.patterns
    const actions = patterns.map((pattern) => evaluatePermission(permission, pattern, ruleset).action)
    if (actions.includes("deny")) throw denied(permission)
    const open = patterns.filter((_, index) => actions[index] === "ask")
    if (open.length === 0 || allows(await this.#approved.read(), permission, open)) return
    const output = await this.#plugins?.trigger("permission.ask", ask, { status: "ask" })
    if (output?.status === "deny") throw denied(permission)
    if (output?.status !== "allow") await this.#askPeople(ask, patterns, open)
  }

  /**
   * Answers a request. `always` also answers whatever else is pending and now allowed; `reject` rejects everything
   * else that is pending in the session.
   *
   * @param feedback with `reject`: what to do instead
   *
   * @throws PermissionError `NOT_FOUND` when it is not pending, such as when somebody else was faster;
   * StorageError when `always` cannot be stored: then the request stays
   */
  async reply(requestID: string, reply: PermissionReply, feedback?: string): Promise<void> {
    const pending = this.#pending.get(requestID)
    if (pending === undefined) {
      throw new PermissionError("NOT_FOUND", `No permission request ${requestID} is pending`)
    }
    if (reply === "reject") return this.#reject(pending, feedback)
    if (reply === "always") await this.#remember(pending.request)
    this.#settle(pending, reply)
    if (reply !== "always") return
    const approved = await this.#approved.read()
    for (const other of [...this.#pending.values()]) {
      if (allows(approved, other.request.permission, other.open)) this.#settle(other, "always")
    }
  }

  /** The requests that nobody has answered, oldest first. */
  pending(sessionID?: string): PermissionRequest[] {
    const requests = [...this.#pending.values()].map(({ request }) => request)
    return requests.filter((request) => sessionID === undefined || request.sessionID === sessionID)
  }

  /** Takes back all questions of a session: they reject with `WITHDRAWN`. */
  rejectAll(sessionID: string): void {
    for (const pending of this.#pendingOf(sessionID))
      this.#settle(pending, "reject", withdrawn(pending.request))
  }

  #askPeople(ask: PermissionAsk, patterns: readonly string[], open: readonly string[]): Promise<void> {
    const { sessionID, permission, tool, signal } = ask
    const request: PermissionRequest = {
      id: this.#identifiers.ascending("permission"),
      sessionID,
      permission,
      patterns,
      metadata: ask.metadata ?? {},
      always: ask.always ?? patterns,
      ...(tool && { tool }),
    }
    if (signal?.aborted) return Promise.reject(withdrawn(request))
    return new Promise((resolve, reject) => {
      const withdraw = () => this.#settle(pending, "reject", withdrawn(request))
      const pending: PendingRequest = {
        request,
        open,
        end: (error) => {
          signal?.removeEventListener("abort", withdraw)
          if (error === undefined) resolve()
          else reject(error)
        },
      }
      this.#pending.set(request.id, pending)
      signal?.addEventListener("abort", withdraw)
      this.#bus.publish("permission.asked", request)
    })
  }

  #remember({ permission, always }: PermissionRequest): Promise<void> {
    return this.#approved.add(always.map((pattern) => ({ permission, pattern, action: "allow" })))
  }

  #reject(pending: PendingRequest, feedback: string | undefined): void {
    this.#settle(pending, "reject", rejected(pending.request, feedback))
    for (const other of this.#pendingOf(pending.request.sessionID)) {
      this.#settle(other, "reject", rejected(other.request))
    }
  }

  // A request may have been settled while something else was awaited; it ends only once.
  #settle(pending: PendingRequest, reply: PermissionReply, error?: PermissionError): void {
    const { id, sessionID } = pending.request
    if (!this.#pending.delete(id)) return
    pending.end(error)
    this.#bus.publish("permission.replied", { sessionID, requestID: id, reply })
  }

  #pendingOf(sessionID: string): PendingRequest[] {
    return [...this.#pending.values()].filter(({ request }) => request.sessionID === sessionID)
  }
}

interface PendingRequest {
  readonly request: PermissionRequest
  /** The patterns that the rules leave open. */
  readonly open: readonly string[]
  end(error?: PermissionError): void
}

function allows(approved: PermissionRuleset, permission: string, patterns: readonly string[]): boolean {
  return patterns.every((pattern) => evaluatePermission(permission, pattern, approved).action === "allow")
}

function denied(permission: string): PermissionError {
  return new PermissionError("DENIED", `The rules deny the permission "${permission}" for this`)
}

function rejected({ permission }: PermissionRequest, feedback?: string): PermissionError {
  const message = `The user rejected the permission "${permission}" for this`
  return new PermissionError("REJECTED", feedback ? `${message}, and said: ${feedback}` : message, feedback)
}

function withdrawn({ permission }: PermissionRequest): PermissionError {
  return new PermissionError("WITHDRAWN", `The request for the permission "${permission}" was withdrawn`)
}

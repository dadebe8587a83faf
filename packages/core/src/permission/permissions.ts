import type { EventBus } from "../event/event-bus.js"
import type { PermissionReply, PermissionRequest } from "../event/session-events.js"
import { type Identifiers, identifiers } from "../identifier/create-identifiers.js"
import { checkOptions } from "../storage/options.js"
import type { Storage } from "../storage/storage.js"
import { type ApprovedRules, approvedInMemory, approvedInStorage } from "./approved-rules.js"
import { evaluateTarget, strictest } from "./evaluate-permission.js"
import { type PermissionTargets, permissionTargets } from "./matching.js"
import type { PermissionAsk } from "./permission-ask.js"
import { PermissionError } from "./permission-error.js"
import type { PermissionTarget } from "./permission-target.js"

/** What `Permissions` work with. */
export interface PermissionsOptions {
  /** Publishes questions and replies. */
  readonly bus: Pick<EventBus, "publish">
  /** Keeps what is allowed for the project; without it that holds as long as the object. */
  readonly remember?: { readonly storage: Storage; readonly projectID: string } | undefined
  /** Makes the ids of requests; the shared generator when not given. */
  readonly identifiers?: Identifiers | undefined
  /** Their hook `permission.ask` may decide what the rules leave to people. */
  readonly plugins?: PermissionPlugins | undefined
}

/** How to reply to a request. */
export interface ReplyOptions {
  /** With `reject`: what to do instead. */
  readonly feedback?: string | undefined
  /** With `always`: for how long, see `PermissionsOptions.remember`; for the session when not given. */
  readonly scope?: "session" | "project" | undefined
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
 * Decides for one project what may be done: by rules, by what people have allowed with `always`, by plugins, and else
 * by asking. A program that shows questions to people listens for `permission.asked`, and calls {@link reply}.
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
  readonly #approvedInSession = new Map<string, ApprovedRules>()
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
   * Resolves when all that is asked for is allowed. What a rule denies stays denied, whatever was allowed with `always`.
   *
   * @throws PermissionError `DENIED`, `REJECTED` or `WITHDRAWN`; StorageError when what is allowed cannot be read
   */
  async ask(ask: PermissionAsk): Promise<void> {
    const { sessionID, permission, ruleset, limits = [] } = ask
    const asked = permissionTargets(permission, ask.patterns, ask)
    const actions = asked.targets.map((target) => {
      const decisions = [ruleset, ...limits].map((rules) => evaluateTarget(permission, target, rules))
      return strictest(decisions).action
    })
    if (actions.includes("deny")) throw denied(permission)
    const open = asked.targets.filter((_, index) => actions[index] === "ask")
    if (open.length === 0 || (await this.#isApproved(sessionID, permission, open))) return
    const output = await this.#plugins?.trigger("permission.ask", ask, { status: "ask" })
    if (output?.status === "deny") throw denied(permission)
    if (output?.status !== "allow") await this.#askPeople(ask, asked, open)
  }

  /**
   * Answers a request. `always` holds for the session, and also answers what else is pending and now allowed; `reject`
   * rejects everything else that is pending in the session.
   *
   * @throws PermissionError `NOT_FOUND` when it is not pending, such as when somebody else was faster;
   * StorageError `INVALID_ARGUMENT`, or when `always` cannot be stored: then the request stays
   */
  async reply(requestID: string, reply: PermissionReply, options: ReplyOptions = {}): Promise<void> {
    checkOptions("reply", options, { feedback: "string?", scope: ["session", "project"] })
    const pending = this.#pending.get(requestID)
    if (pending === undefined) {
      throw new PermissionError("NOT_FOUND", `No permission request ${requestID} is pending`)
    }
    if (reply === "reject") return this.#reject(pending, options.feedback)
    if (reply === "always") await this.#remember(pending.request, options.scope)
    this.#settle(pending, reply)
    if (reply !== "always") return
    for (const other of [...this.#pending.values()]) {
      const { sessionID, permission } = other.request
      if (await this.#isApproved(sessionID, permission, other.open)) this.#settle(other, "always")
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

  #askPeople(ask: PermissionAsk, asked: PermissionTargets, open: readonly PermissionTarget[]): Promise<void> {
    const { sessionID, permission, tool, signal } = ask
    const request: PermissionRequest = {
      id: this.#identifiers.ascending("permission"),
      sessionID,
      permission,
      patterns: asked.texts,
      metadata: ask.metadata ?? {},
      always: ask.always ?? asked.literals,
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

  #remember(
    { sessionID, permission, always }: PermissionRequest,
    scope?: "session" | "project",
  ): Promise<void> {
    const rules = always.map((pattern) => ({ permission, pattern, action: "allow" }) as const)
    if (scope === "project") return this.#approved.add(rules)
    const approved = this.#approvedInSession.get(sessionID) ?? approvedInMemory()
    this.#approvedInSession.set(sessionID, approved)
    return approved.add(rules)
  }

  async #isApproved(
    sessionID: string,
    permission: string,
    targets: readonly PermissionTarget[],
  ): Promise<boolean> {
    const inSession = (await this.#approvedInSession.get(sessionID)?.read()) ?? []
    const rules = [...(await this.#approved.read()), ...inSession]
    return targets.every((target) => evaluateTarget(permission, target, rules).action === "allow")
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
  /** What the rules leave open. */
  readonly open: readonly PermissionTarget[]
  end(error?: PermissionError): void
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

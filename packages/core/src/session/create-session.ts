import type { NewPermissionRule } from "../model/permission.js"
import { type NewSession, newSession, type Session } from "../model/session.js"
import { checkOptions } from "../storage/options.js"
import { defaultTitle } from "./default-title.js"
import { type SessionContext, TREE_LOCK } from "./session-context.js"
import { SessionError } from "./session-error.js"
import { hasRecord, refusing, sessionKey } from "./session-records.js"
import { checkParent } from "./session-tree.js"
import { createSlug } from "./slug.js"

/** What a new session is to be; everything has a default. */
export interface CreateSessionOptions {
  /** A new descending id by default. */
  readonly id?: string | undefined
  /** `New session - <time>`, or `Child session - <time>`, by default. */
  readonly title?: string | undefined
  readonly parentID?: string | undefined
  /** The parent's by default, else that of `Sessions`. */
  readonly directory?: string | undefined
  /** Rules that come after those of the parent, which a child inherits. */
  readonly permission?: readonly NewPermissionRule[] | undefined
}

/** What every new session of one `Sessions` gets. */
export interface SessionDefaults {
  readonly directory: string
  readonly version: string
  readonly random: ((size: number) => Uint8Array) | undefined
}

/** Makes and stores a session. */
export async function createSession(
  context: SessionContext,
  defaults: SessionDefaults,
  options: CreateSessionOptions,
): Promise<Session> {
  const { storage, locks, publish } = context
  checkOptions("create", options, {
    id: "string?",
    title: "any?",
    parentID: "string?",
    directory: "string?",
    permission: "array?",
  })
  return locks.shared(TREE_LOCK, async () => {
    const id = refusing(() => context.identifiers.descending("session", options.id))
    const { parentID } = options
    const parent = parentID === undefined ? undefined : await checkParent(context, id, parentID)
    const session = newSessionRecord(context, defaults, {
      id,
      parentID,
      title: options.title ?? defaultTitle(parent === undefined ? "root" : "child", context.clock()),
      directory: options.directory ?? parent?.directory,
      permission: [...inheritedRules(parent), ...(options.permission ?? [])],
    })
    const key = sessionKey(context.projectID, id)
    if (options.id !== undefined && (await hasRecord(context, key)))
      throw new SessionError("EXISTS", `There is a session ${id}`)
    await storage.write(key, session)
    publish("session.created", { info: structuredClone(session) })
    return session
  })
}

/** The record of a session that begins now. */
export function newSessionRecord(
  { clock, projectID }: SessionContext,
  defaults: SessionDefaults,
  fields: Pick<NewSession, "id" | "parentID" | "title" | "permission" | "revert"> & {
    readonly directory: string | undefined
  },
): NewSession {
  const now = clock()
  const { directory = defaults.directory, permission = [], ...given } = fields
  return refusing(() =>
    newSession({
      ...given,
      slug: createSlug(defaults.random),
      version: defaults.version,
      projectID,
      directory,
      time: { created: now, updated: now },
      ...(permission.length > 0 && { permission }),
    }),
  )
}

/** The rules of a session as another one takes them over. */
export function inheritedRules(session: Session | undefined): NewPermissionRule[] {
  const rules = session?.permission ?? []
  return rules.map(({ permission, pattern, action }) => ({ permission, pattern, action }))
}

import type { Session } from "../model/session.js"
import { checkOptions } from "../storage/options.js"
import type { Entry } from "../storage/storage.js"
import { orCorrupt, type ReadOptions } from "./read-messages.js"
import type { SessionContext } from "./session-context.js"
import { asMessage, asSession, noSession, orNotFound, sessionKey } from "./session-records.js"
import { UsageTotals } from "./usage-totals.js"

/** Whose usage to add up; by default that of all sessions of the project. */
export interface UsageOptions extends ReadOptions {
  /** One session alone. */
  readonly sessionID?: string | undefined
  /** The sessions of all projects. */
  readonly allProjects?: boolean | undefined
}

/** How many sessions are asked for their messages at once. */
const SESSIONS_AT_ONCE = 64

/** Adds up what the stored answers used, one message at a time. */
export async function usageOfSessions(context: SessionContext, options: UsageOptions): Promise<UsageTotals> {
  checkOptions("usage", options, { sessionID: "string?", allProjects: "boolean?", onCorrupt: "function?" })
  const totals = new UsageTotals()
  let sessions = new Map<string, Session>()
  for await (const { key, value } of selectSessions(context, options)) {
    const session = key.length === 3 ? orCorrupt(options, () => asSession(key, value)) : undefined
    if (session !== undefined) sessions.set(session.id, session)
    if (sessions.size < SESSIONS_AT_ONCE) continue
    await addMessages(context, totals, sessions, options)
    sessions = new Map()
  }
  await addMessages(context, totals, sessions, options)
  return totals
}

async function addMessages(
  { storage }: SessionContext,
  totals: UsageTotals,
  sessions: ReadonlyMap<string, Session>,
  { onCorrupt }: ReadOptions,
): Promise<void> {
  const prefixes = [...sessions.keys()].map((sessionID) => ["message", sessionID])
  for await (const { key, value } of storage.scanMany(prefixes, { onCorrupt })) {
    const session = sessions.get(key[1] as string)
    if (session === undefined || key.length !== 3) continue
    const message = orCorrupt({ onCorrupt }, () => asMessage(key, value))
    if (message !== undefined) totals.add(session, message)
  }
}

async function* selectSessions(
  { storage, projectID }: SessionContext,
  { sessionID, allProjects, onCorrupt }: UsageOptions,
): AsyncGenerator<Entry<unknown>, void, void> {
  if (sessionID !== undefined) {
    const key = sessionKey(projectID, sessionID)
    yield { key, value: await orNotFound(storage.read(key), noSession(sessionID)) }
  } else {
    yield* storage.scan<unknown>(allProjects ? ["session"] : ["session", projectID], { onCorrupt })
  }
}

import type { Message } from "../model/message.js"
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

/** Adds up what the stored answers used; only those of a few sessions are held in memory. */
export async function usageOfSessions(context: SessionContext, options: UsageOptions): Promise<UsageTotals> {
  checkOptions("usage", options, { sessionID: "string?", allProjects: "boolean?", onCorrupt: "function?" })
  const sessions = new Map<string, CountedSession>()
  for await (const { key, value } of selectSessions(context, options)) {
    const session = key.length === 3 ? orCorrupt(options, () => asSession(key, value)) : undefined
    if (session === undefined) continue
    const { id, projectID, time } = session
    sessions.set(id, { id, projectID, time: { created: time.created, updated: time.updated } })
  }
  const newestFirst = [...sessions.values()].sort((a, b) => b.time.created - a.time.created)
  const totals = new UsageTotals()
  for (let start = 0; start < newestFirst.length; start += SESSIONS_AT_ONCE) {
    await addAnswers(context, totals, newestFirst.slice(start, start + SESSIONS_AT_ONCE), options)
  }
  return totals
}

type CountedSession = Pick<Session, "id" | "projectID" | "time">

async function addAnswers(
  { storage }: SessionContext,
  totals: UsageTotals,
  newestFirst: readonly CountedSession[],
  { onCorrupt }: ReadOptions,
): Promise<void> {
  const answers = new Map<string, Message[]>(newestFirst.map(({ id }) => [id, []]))
  const prefixes = newestFirst.map(({ id }) => ["message", id])
  for await (const { key, value } of storage.scanMany(prefixes, { onCorrupt })) {
    const message = key.length === 3 ? orCorrupt({ onCorrupt }, () => asMessage(key, value)) : undefined
    if (message?.role === "assistant") answers.get(message.sessionID)?.push(message)
  }
  for (const session of newestFirst) {
    for (const answer of answers.get(session.id) ?? []) totals.add(session, answer)
  }
}

async function* selectSessions(
  { storage, projectID }: SessionContext,
  { sessionID, allProjects, onCorrupt }: UsageOptions,
): AsyncGenerator<Entry<unknown>, void, void> {
  if (sessionID !== undefined) {
    const key = sessionKey(projectID, sessionID)
    yield { key, value: await orNotFound(storage.read(key), () => noSession(sessionID)) }
  } else {
    yield* storage.scan<unknown>(allProjects ? ["session"] : ["session", projectID], { onCorrupt })
  }
}

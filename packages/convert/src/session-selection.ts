import { decodeKey } from "@sessile/core/storage"
import { isSound, readRecord } from "./read-record.js"
import type { TextAccess } from "./text-access.js"

/** Which sessions to take; a session must meet every condition that is given. Children come with their parents. */
export interface SessionSelection {
  /** Updated at this time or later, in milliseconds. */
  readonly since?: number | undefined
  /** Of one of these projects. */
  readonly projects?: readonly string[] | undefined
  /** One of these. */
  readonly sessions?: readonly string[] | undefined
}

/** A session by its place. */
export interface SessionPlace {
  readonly project: string
  readonly session: string
}

/** The sessions that a selection takes, in key order; all without one. */
export async function selectSessions(
  access: TextAccess,
  selection: SessionSelection | undefined,
): Promise<SessionPlace[]> {
  const places: SessionPlace[] = []
  if (selection === undefined) {
    for await (const keys of access.scanKeys({ prefixes: [["session"]] }))
      places.push(...keys.flatMap(placeOf))
    return places
  }
  const sessions: SessionSummary[] = []
  for await (const page of access.scanTexts({ prefixes: [["session"]] })) {
    for (const record of page.map((entry) => readRecord(entry))) {
      const { parent, updated } = (isSound(record) && record.facts) || {}
      for (const place of placeOf(record.key)) sessions.push({ ...place, parent, updated })
    }
  }
  return chosenPlaces(sessions, selection)
}

/** What decides whether a session is selected. */
export interface SessionSummary extends SessionPlace {
  readonly parent: string | undefined
  readonly updated: number | undefined
}

/** Those of some sessions that a selection takes, in their order. */
export function chosenPlaces(
  sessions: readonly SessionSummary[],
  selection: SessionSelection,
): SessionPlace[] {
  const parents = new Map<string, string>()
  const chosen = new Set<string>()
  for (const place of sessions) {
    if (place.parent !== undefined) parents.set(place.session, place.parent)
    if (meets(selection, place, place.updated)) chosen.add(place.session)
  }
  return sessions.filter(({ session }) => descendsFrom(chosen, session, parents))
}

function placeOf(key: string): SessionPlace[] {
  const [, project, session, ...rest] = decodeKey(key)
  return project === undefined || session === undefined || rest.length > 0 ? [] : [{ project, session }]
}

// A session that does not say when it was updated may be of any time.
function meets(
  selection: SessionSelection,
  place: SessionPlace,
  updated = Number.POSITIVE_INFINITY,
): boolean {
  const { since, projects, sessions } = selection
  if (since !== undefined && updated < since) return false
  if (projects !== undefined && !projects.includes(place.project)) return false
  return sessions === undefined || sessions.includes(place.session)
}

function descendsFrom(
  chosen: ReadonlySet<string>,
  session: string,
  parents: ReadonlyMap<string, string>,
): boolean {
  const seen = new Set<string>()
  for (let current: string | undefined = session; current !== undefined; current = parents.get(current)) {
    if (chosen.has(current)) return true
    if (seen.has(current)) return false
    seen.add(current)
  }
  return false
}

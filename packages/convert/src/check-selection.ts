import { decodeKey } from "@sessile/core/storage"
import { isSound } from "./read-record.js"
import type { RecordSource } from "./record-source.js"
import { chosenPlaces, type SessionSelection, type SessionSummary } from "./session-selection.js"

/** A selection with values that no session meets. */
export class SelectionError extends Error {
  override readonly name = "SelectionError"
  /** Ids of sessions that the source does not have. */
  readonly sessions: readonly string[]
  /** Projects of which the source has no session. */
  readonly projects: readonly string[]

  constructor(sessions: readonly string[], projects: readonly string[]) {
    const missing = [
      ...(sessions.length === 0 ? [] : [`no session ${sessions.join(", ")}`]),
      ...(projects.length === 0 ? [] : [`no session of project ${projects.join(", ")}`]),
    ]
    super(
      missing.length === 0
        ? "No session of the source meets all conditions of the selection"
        : `The source has ${missing.join(" and ")}`,
    )
    this.sessions = sessions
    this.projects = projects
  }
}

/**
 * Makes sure, before anything is written, that every value of a selection is that of a session of the source, and that at
 * least one session meets all of them.
 *
 * @throws SelectionError
 */
export async function checkSelection(source: RecordSource, selection: SessionSelection): Promise<void> {
  const found: SessionSummary[] = []
  for await (const { records } of source.read({ take: "prefix", prefix: ["session"] })) {
    for (const record of records) {
      const [, project, session, ...below] = decodeKey(record.key)
      if (project === undefined || session === undefined || below.length > 0) continue
      const { parent, updated } = (isSound(record) && record.facts) || {}
      found.push({ project, session, parent, updated })
    }
  }
  const ids = new Set(found.map(({ session }) => session))
  const owners = new Set(found.map(({ project }) => project))
  const sessions = (selection.sessions ?? []).filter((id) => !ids.has(id))
  const projects = (selection.projects ?? []).filter((id) => !owners.has(id))
  if (sessions.length + projects.length > 0 || chosenPlaces(found, selection).length === 0) {
    throw new SelectionError(sessions, projects)
  }
}

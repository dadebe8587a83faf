import type { Database } from "better-sqlite3"
import type { Row } from "./column.js"
import type { RowTable } from "./row-table.js"
import { usageOf } from "./usage.js"

interface CountedSession {
  readonly session: Row
  /** All its messages, as far as they are counted; none where its totals are not to be touched. */
  readonly messages: unknown[] | undefined
  /** Totals that are known otherwise, by column. */
  readonly known?: Row
}

/**
 * What sessions to which messages are added have cost and used. Totals that are not those of the messages that were
 * there are opencode's own, and stay.
 */
export class SessionTotals {
  readonly #database: Database
  readonly #sessions: RowTable
  readonly #counted = new Map<string, CountedSession>()

  constructor(database: Database, sessions: RowTable) {
    this.#database = database
    this.#sessions = sessions
  }

  /** Begins to count for a session that has just been added, but for totals that came with it. */
  addSession(session: Row, known: Row): void {
    this.#counted.set(String(session.id), { session, messages: [], known })
  }

  /** Counts a message that has just been added to a session. */
  addMessage(session: Row, id: string, message: unknown): void {
    const counted = this.#counted.get(String(session.id)) ?? { session, messages: this.#before(session, id) }
    counted.messages?.push(message)
    this.#counted.set(String(session.id), counted)
  }

  /** Notes all totals in the database. */
  write(): void {
    for (const { session, messages, known } of this.#counted.values()) {
      if (messages !== undefined) this.#sessions.update({ ...withTotals(session, messages), ...known })
    }
  }

  /** The messages that a session had before one was added, if its totals are theirs. */
  #before(session: Row, added: string): unknown[] | undefined {
    const fields = "json_extract(data, '$.role', '$.cost', '$.tokens')"
    const sql = `SELECT ${fields} FROM message WHERE session_id = ? AND id <> ? AND json_valid(data)`
    const found = this.#database.prepare(sql).pluck().all(session.id, added) as string[]
    const messages = found.map((text) => {
      const [role, cost, tokens] = JSON.parse(text) as unknown[]
      return { role, cost, tokens }
    })
    return this.#sessions.matches(withTotals(session, messages)) ? messages : undefined
  }
}

/** The key of a session with the totals of its messages. */
function withTotals({ id = null, project_id = null }: Row, messages: readonly unknown[]): Row {
  return { id, project_id, ...usageOf(messages) }
}

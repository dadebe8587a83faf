import type { Database } from "better-sqlite3"
import { at, type JsonObject } from "./json-object.js"

/** What a message was written with, or for. */
export interface Model {
  readonly providerID: string
  readonly modelID: string
}

/** Of a message in a store in which no message has a model. opencode cannot continue a session that ends with it. */
export const UNKNOWN_MODEL: Model = { providerID: "unknown", modelID: "unknown" }

/** The model that a message names: an assistant message directly, a user message under `model`. */
export function modelOf(body: JsonObject | undefined): Model | undefined {
  const model = at(body, ["role"]) === "user" ? at(body, ["model"]) : body
  const providerID = at(model, ["providerID"])
  const modelID = at(model, ["modelID"])
  if (typeof providerID !== "string" || typeof modelID !== "string") return undefined
  return providerID === UNKNOWN_MODEL.providerID ? undefined : { providerID, modelID }
}

/**
 * The model for messages of sessions in which no message has one: that of the session that was used last. Messages that came
 * before any model was known get it as soon as there is one.
 */
export class KnownModels {
  readonly #database: Database
  #latest: Model | undefined
  #isSearched = false
  #waiting: string[] = []

  constructor(database: Database) {
    this.#database = database
  }

  /** The model for a message without any in its session. */
  standIn(message: string): Model {
    if (!this.#isSearched) this.#latest = this.#search()
    this.#isSearched = true
    if (this.#latest === undefined) this.#waiting.push(message)
    return this.#latest ?? UNKNOWN_MODEL
  }

  /** Completes the messages that wait for a model, if sessions to which messages were added have one. */
  complete(sessions: Iterable<string>): void {
    if (this.#waiting.length === 0) return
    for (const session of sessions) this.#latest ??= this.#modelIn(session)
    if (this.#latest === undefined) return
    const { providerID, modelID } = this.#latest
    for (const path of ["$", "$.model"]) {
      // Others may have changed the message meanwhile.
      const isWaiting = `json_valid(data) AND json_extract(data, '${path}.providerID') = '${UNKNOWN_MODEL.providerID}'`
      const update = this.#database.prepare(
        `UPDATE message SET data = json_set(data, '${path}.providerID', ?, '${path}.modelID', ?)
          WHERE id = ? AND ${isWaiting}`,
      )
      for (const message of this.#waiting) update.run(providerID, modelID, message)
    }
    this.#waiting = []
  }

  #search(): Model | undefined {
    const sessions = this.#database.prepare("SELECT id FROM session ORDER BY time_updated DESC").pluck().all()
    for (const session of sessions) {
      const model = this.#modelIn(String(session))
      if (model !== undefined) return model
    }
    return undefined
  }

  #modelIn(session: string): Model | undefined {
    const fields = "json_extract(data, '$.role', '$.providerID', '$.modelID', '$.model')"
    const found = this.#database
      .prepare(
        `SELECT ${fields} FROM message WHERE session_id = ? AND json_valid(data) ORDER BY time_created DESC`,
      )
      .pluck()
      .iterate(session)
    for (const text of found) {
      const [role, providerID, modelID, model] = JSON.parse(String(text)) as unknown[]
      const known = modelOf({ role, providerID, modelID, model })
      if (known !== undefined) return known
    }
    return undefined
  }
}

import { type Entrant, type Row, race } from "../measure.js"
import { conversations } from "../sample-records.js"
import type { Part } from "../selection.js"
import { storeKinds } from "../stores/families.js"
import { OpenStores } from "../stores/open-stores.js"
import { rowNames } from "./row-names.js"

const SESSIONS = 3
const MESSAGES = 2_000

/** Loading a long session among others: 2,000 messages, then their 10,000 parts. */
export async function raceOnOneSession(parts: ReadonlySet<Part>): Promise<Row[]> {
  if (!parts.has("load")) return []
  const sessions = conversations(SESSIONS, MESSAGES)
  const { id, records } = sessions[1] as (typeof sessions)[number]
  await using stores = await OpenStores.create()
  const entrants: Entrant[] = []
  for (const kind of storeKinds) {
    const store = await stores.open(kind)
    for (const session of sessions) await store.batch(session.records)
    const enter = (row: string, load: (sessionID: string) => Promise<number>) =>
      entrants.push({
        row,
        store: kind.name,
        work: async () => {
          const count = await load(id)
          if (count !== records.length)
            throw new Error(`${kind.name} gave ${count} of ${records.length} records`)
        },
      })
    enter(rowNames.load, (sessionID) => store.loadSession(sessionID))
    const { listAndReadSession } = store
    if (listAndReadSession) enter(rowNames.listAndRead, listAndReadSession)
  }
  // Without the await the stores would be gone before the race has begun.
  return await race(entrants)
}

import { Sessions } from "@sessile/core/session"
import { type Entrant, type Row, race } from "../measure.js"
import { conversations, project } from "../sample-records.js"
import type { Part } from "../selection.js"
import { OpenStores } from "../stores/open-stores.js"
import { adapters, through } from "../stores/sessile.js"
import { rowNames } from "./row-names.js"

const SESSIONS = 3
const MESSAGES = 2_000

/** Loading a long session as records, and again as messages in order with their parts. */
export async function raceOnMessages(parts: ReadonlySet<Part>): Promise<Row[]> {
  if (!parts.has("messages")) return []
  const samples = conversations(SESSIONS, MESSAGES)
  const { id, records } = samples[1] as (typeof samples)[number]
  await using stores = await OpenStores.create()
  const entrants: Entrant[] = []
  for (const adapter of adapters) {
    const storage = await stores.open(adapter)
    const store = through(storage)
    for (const sample of samples) await store.batch(sample.records)
    const sessions = new Sessions({ storage, project })
    const enter = (row: string, load: () => Promise<number>) =>
      entrants.push({
        row,
        store: adapter.name,
        work: async () => {
          const count = await load()
          if (count !== records.length) throw new Error(`${row}: ${count} of ${records.length} records`)
        },
      })
    enter(rowNames.messagesByScan, () => store.loadSession(id))
    enter(rowNames.messagesBySessions, async () => {
      const messages = await sessions.messages.load(id)
      return messages.reduce((count, message) => count + 1 + message.parts.length, 0)
    })
  }
  return await race(entrants)
}

import { Sessions } from "@sessile/core/session"
import { type Entrant, type Row, race } from "../measure.js"
import { project, type SampleSession, sessions as sampleSessions } from "../sample-records.js"
import type { Part } from "../selection.js"
import { OpenStores } from "../stores/open-stores.js"
import { adapters, through } from "../stores/sessile.js"
import { childrenOf, newestOf } from "../stores/store.js"
import { rowNames, sessionCounts } from "./row-names.js"
import { fill } from "./session-lists.js"

const NEWEST = 50

/** The newest sessions, and the children of one, as `Sessions` give them. */
export async function raceOnSessionsLists(parts: ReadonlySet<Part>): Promise<Row[]> {
  if (!parts.has("overview")) return []
  await using stores = await OpenStores.create()
  const entrants: Entrant[] = []
  for (const count of sessionCounts) {
    const records = sampleSessions(count)
    const values = records.map(({ value }) => value)
    const parentID = (values[count / 2] as SampleSession).id
    for (const adapter of adapters.filter(({ mostSessions }) => mostSessions >= count)) {
      const storage = await stores.open(adapter)
      await fill(through(storage), records)
      const sessions = new Sessions({ storage, project })
      const enter = (row: string, right: readonly SampleSession[], ask: () => Promise<string[]>) => {
        const expected = idsOf(right).join(" ")
        const work = async () => {
          if ((await ask()).join(" ") !== expected) throw new Error(`${adapter.name}: wrong ${row}`)
        }
        entrants.push({ row, store: adapter.name, work })
      }
      enter(rowNames.newestBySessions(count), newestOf(values, NEWEST), async () => {
        const ids: string[] = []
        for await (const { id } of sessions.list({ limit: NEWEST })) ids.push(id)
        return ids
      })
      enter(rowNames.childrenBySessions(count), childrenOf(values, parentID), async () =>
        idsOf(await sessions.children(parentID)),
      )
    }
  }
  return await race(entrants)
}

function idsOf(sessions: readonly { readonly id: string }[]): string[] {
  return sessions.map(({ id }) => id)
}

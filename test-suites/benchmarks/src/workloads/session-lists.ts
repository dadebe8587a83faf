import { type Entrant, type Row, race } from "../measure.js"
import { type SampleSession, sessions } from "../sample-records.js"
import { groups, type Part } from "../selection.js"
import { storeKinds } from "../stores/families.js"
import { OpenStores } from "../stores/open-stores.js"
import { childrenOf, newestOf, type SessionRecord, type Store } from "../stores/store.js"
import { rowNames, sessionCounts } from "./row-names.js"

const NEWEST = 50
const BATCH = 1_000

/** The newest sessions, and the children of one, at every size at once so that sizes can be compared. */
export async function raceOnSessionLists(parts: ReadonlySet<Part>): Promise<Row[]> {
  const wanted = groups.lists.filter((part) => parts.has(part))
  if (wanted.length === 0) return []
  await using stores = await OpenStores.create()
  const entrants = { newest: [] as Entrant[], children: [] as Entrant[] }
  for (const count of sessionCounts) {
    const records = sessions(count)
    const values = records.map(({ value }) => value)
    const parentID = (values[count / 2] as SampleSession).id
    const right = { newest: newestOf(values, NEWEST), children: childrenOf(values, parentID) }
    for (const kind of storeKinds.filter(({ mostSessions }) => mostSessions >= count)) {
      const store = await stores.open(kind)
      await fill(store, records)
      const asks = { newest: () => store.newest(NEWEST), children: () => store.children(parentID) }
      for (const part of wanted) {
        const row = rowNames[part](count)
        const work = async () => {
          if (ids(await asks[part]()) !== ids(right[part])) throw new Error(`${kind.name}: wrong ${row}`)
        }
        entrants[part].push({ row, store: kind.name, work })
      }
    }
  }
  const rows: Row[] = []
  for (const part of wanted) rows.push(...(await race(entrants[part])))
  return rows
}

/** Adds sessions as whoever has many would. */
export async function fill(store: Store, records: readonly SessionRecord[]): Promise<void> {
  for (let start = 0; start < records.length; start += BATCH) {
    await store.addSessions(records.slice(start, start + BATCH))
  }
}

function ids(sessions: readonly SampleSession[]): string {
  return sessions.map(({ id }) => id).join(" ")
}

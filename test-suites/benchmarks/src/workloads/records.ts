import { type Entrant, type Row, race } from "../measure.js"
import { messages } from "../sample-records.js"
import { groups, type Part } from "../selection.js"
import { storeKinds } from "../stores/families.js"
import { OpenStores } from "../stores/open-stores.js"
import type { Store } from "../stores/store.js"
import { rowNames } from "./row-names.js"

const RECORDS = 5_000
const BATCH = 1_000

/** Writing, reading and scanning messages of about 1 KB. */
export async function raceOnRecords(parts: ReadonlySet<Part>): Promise<Row[]> {
  const wanted = groups.records.filter((part) => parts.has(part))
  if (wanted.length === 0) return []
  const records = messages(RECORDS)
  const keys = records.map(({ key }) => key)
  const batch = records.slice(0, BATCH)
  const works = {
    write: (store: Store) => store.write(records),
    read: (store: Store) => store.read(keys),
    batch: (store: Store) => store.batch(batch),
    scan: async (store: Store) => {
      const count = await store.scanMessages()
      if (count !== RECORDS) throw new Error(`A scan gave ${count} of ${RECORDS} records`)
    },
  }
  await using stores = await OpenStores.create()
  const entered: { readonly name: string; readonly store: Store }[] = []
  for (const kind of storeKinds) {
    const store = await stores.open(kind)
    await store.batch(records)
    entered.push({ name: kind.name, store })
  }
  const rows: Row[] = []
  for (const part of wanted) {
    const entrants = entered.map(
      ({ name, store }): Entrant => ({ row: rowNames[part], store: name, work: () => works[part](store) }),
    )
    rows.push(...(await race(entrants)))
  }
  return rows
}

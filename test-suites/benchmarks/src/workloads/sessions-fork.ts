import { Sessions } from "@sessile/core/session"
import { type Row, race } from "../measure.js"
import { conversations, project, type SampleRecord } from "../sample-records.js"
import type { Part } from "../selection.js"
import { betterSqlite } from "../stores/better-sqlite.js"
import { OpenStores } from "../stores/open-stores.js"
import { sqlite, through } from "../stores/sessile.js"
import { rowNames } from "./row-names.js"

const MESSAGES = 2_000

/** Forking a long session, against inserting as many rows of the same contents by hand. */
export async function raceOnFork(parts: ReadonlySet<Part>): Promise<Row[]> {
  if (!parts.has("fork")) return []
  const [sample] = conversations(1, MESSAGES) as [{ readonly id: string; readonly records: SampleRecord[] }]
  const session = { title: "Long", version: "1.0.0", time: { created: 1, updated: 1 } }
  const records = [...sample.records, { key: ["session", project.id, sample.id], value: session }]
  await using stores = await OpenStores.create()
  const storage = await stores.open(sqlite)
  await through(storage).batch(records)
  const sessions = new Sessions({ storage, project })
  const byHand = await stores.open(betterSqlite)
  let copies = 0
  return await race([
    { row: rowNames.fork, store: sqlite.name, work: () => sessions.fork(sample.id) },
    {
      row: rowNames.fork,
      store: betterSqlite.name,
      work: () => {
        copies++
        return byHand.batch(records.map(({ key, value }) => ({ key: [String(copies), ...key], value })))
      },
    },
  ])
}

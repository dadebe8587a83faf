import { convert } from "@sessile/convert"
import { encodeKey, MemoryStorage } from "@sessile/core/storage"
import { copyDatabase, withSql } from "@sessile/fixtures"
import { OpencodeStorage } from "@sessile/opencode-db"
import { expect, test } from "vitest"

const usage = { role: "assistant", cost: 0.1, tokens: { input: 1 } }

test("no transaction on opencode's database holds rows of two sessions, nor of two lost owners", async () => {
  const source = await storeOf([
    ...["ses_a", "ses_b", "ses_c"].flatMap((session) => conversation(session, 2)),
    // Of sessions that are missing, and of a message that is.
    ...["ses_x", "ses_y"].flatMap((session) => conversation(session, 2).slice(1)),
    [["part", "msg_gone", "prt_gone"], { type: "text", sessionID: "ses_z" }],
    [["todo", "ses_v"], [{ content: "a" }]],
    [["todo", "ses_w"], [{ content: "b" }]],
  ])
  const { transactions } = await watched(source)
  const sessions = ["ses_a", "ses_b", "ses_c", "ses_v", "ses_w", "ses_x", "ses_y", "ses_z"]
  expect([...new Set(transactions.flat())].sort()).toEqual(sessions)
  for (const touched of transactions) expect(touched.length).toBeLessThanOrEqual(1)
  for (const session of ["ses_a", "ses_b", "ses_c"]) {
    expect(transactions.filter((touched) => touched.includes(session))).toHaveLength(1)
  }
})

test("a session that is too large for one page comes in several, and has the totals of all of it", async () => {
  const large = conversation("ses_large", 10, "x".repeat(4 * 1024 * 1024))
  const told = { message: { msg_ses_large_9: [1, 2] }, part: { prt_ses_large_9: [3, 4] } }
  const source = await storeOf([
    ...large,
    [["row_times", "ses_large"], told],
    ...conversation("ses_small", 1),
  ])
  const { transactions, totals, times } = await watched(source)
  expect(transactions.filter((touched) => touched.includes("ses_large")).length).toBeGreaterThan(1)
  for (const touched of transactions) expect(touched.length).toBeLessThanOrEqual(1)
  expect(totals).toEqual([
    ["ses_large", 1, 10],
    ["ses_small", 0.1, 1],
  ])
  expect(times).toEqual([
    [1, 2],
    [3, 4],
  ])
})

type Record = readonly [key: readonly string[], value: unknown]

/** A session, its answers with some padding, and a part of each. */
function conversation(session: string, answers: number, padding = ""): Record[] {
  const ids = Array.from({ length: answers }, (_, index) => `${session}_${index}`)
  return [
    [["session", "global", session], { title: session, time: { created: 5, updated: 6 } }],
    ...ids.map((id): Record => [["message", session, `msg_${id}`], { ...usage, padding }]),
    ...ids.map((id): Record => [["part", `msg_${id}`, `prt_${id}`], { type: "text", sessionID: session }]),
  ]
}

async function storeOf(records: readonly Record[]): Promise<MemoryStorage> {
  const storage = new OnePageEach()
  await storage.addTexts(
    records.map(([key, value]) => ({ key: encodeKey(key), text: JSON.stringify(value) })),
  )
  return storage
}

/** Gives its records one by one, as a store on a disk gives large ones. */
class OnePageEach extends MemoryStorage {
  override async *scanTexts(...args: Parameters<MemoryStorage["scanTexts"]>) {
    for await (const page of super.scanTexts(...args)) for (const entry of page) yield [entry]
  }
}

/**
 * Converts into a database of opencode's, and tells which sessions each transaction has touched. Whatever another
 * connection sees after a call and did not see before it was committed by that call.
 */
async function watched(source: MemoryStorage) {
  await using copy = await copyDatabase("empty-1.18.34")
  await using target = await OpencodeStorage.open({ path: copy.database })
  const seen = (sql: string) => withSql(copy.database, (database) => database.prepare(sql).raw().all())
  const rowsBySession = () => new Map(seen(ROWS_BY_SESSION) as [string, number][])
  const transactions: string[][] = []
  const add = target.addTexts.bind(target)
  target.addTexts = async (records) => {
    const before = rowsBySession()
    const outcomes = await add(records)
    const after = rowsBySession()
    transactions.push([...after.keys()].filter((id) => after.get(id) !== before.get(id)))
    return outcomes
  }
  await using conversion = await convert({ source, target })
  expect(conversion.totals.setAside).toBe(0)
  expect(conversion.verification).toMatchObject({ missing: [], different: [] })
  return { transactions, totals: seen(TOTALS), times: seen(TIMES_OF_LAST_ROWS) }
}

const TOTALS = "SELECT id, cost, tokens_input FROM session ORDER BY id"

const ROWS_BY_SESSION = `
  SELECT id, count(*) FROM (
    SELECT id FROM session UNION ALL SELECT session_id FROM message
    UNION ALL SELECT session_id FROM part UNION ALL SELECT session_id FROM todo
  ) GROUP BY id`

const TIMES_OF_LAST_ROWS = `
  SELECT time_created, time_updated FROM message WHERE id = 'msg_ses_large_9'
  UNION ALL SELECT time_created, time_updated FROM part WHERE id = 'prt_ses_large_9'`

import { join } from "node:path"
import { copyDatabase, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { changeRows, integrityOf, rowsOf } from "./rows.js"
import { convert, sessile } from "./sessile.js"

// Owners last, so that the rows of each can be removed.
const tables = ["session_share", "todo", "part", "message", "session", "project"]

describe.each([
  { name: "native-1.18.34", sessions: 7, rowTimes: 7 },
  { name: "migrated-by-1.15.13", sessions: 14, rowTimes: 13 },
  { name: "migrated-by-1.2.27", sessions: 14, rowTimes: 13 },
] as const)("the database $name", ({ name, sessions, rowTimes }) => {
  test.each(["sqlite", "json", "level"])(
    "has the same rows again, column by column, after a journey through %s",
    async (kind) => {
      await using original = await copyDatabase(name)
      changeRows(original.database, shareOneSession)
      await using target = await copyDatabase(name)
      changeRows(target.database, tables.map((table) => `DELETE FROM ${table};`).join(" "))
      await using folder = await temporaryFolder()
      const between = `${kind}:${join(folder.path, "history")}`
      const { ledger, kinds } = await convert(`opencode:${original.database}`, between)
      expect(kinds).toMatchObject({ session: { records: sessions }, row_times: { records: rowTimes } })
      expect(await convert(between, `opencode:${target.database}`)).toMatchObject({
        ledger: { ...ledger, written: ledger.found },
      })

      const [before, after] = [rowsOf(original.database), rowsOf(target.database)]
      for (const table of tables) {
        expect(before.get(table)).not.toEqual([])
        expect(after.get(table)).toEqual(before.get(table))
      }
      expect(integrityOf(target.database)).toEqual(["ok"])
      expect((await sessile("verify", between, `opencode:${target.database}`, "--quiet")).exitCode).toBe(0)
    },
  )

  test("goes straight into another one, and finds all of it there the second time", async () => {
    await using original = await copyDatabase(name)
    changeRows(original.database, shareOneSession)
    await using target = await copyDatabase(name)
    changeRows(target.database, tables.map((table) => `DELETE FROM ${table};`).join(" "))
    const addresses = [`opencode:${original.database}`, `opencode:${target.database}`] as const
    await convert(...addresses)
    const after = rowsOf(target.database)
    for (const table of tables) expect(after.get(table)).toEqual(rowsOf(original.database).get(table))
    const { ledger } = await convert(...addresses)
    expect(ledger).toMatchObject({ written: 0, present: ledger.found, setAside: 0 })
    expect(rowsOf(target.database)).toEqual(after)
  })
})

const shareOneSession = `
  INSERT INTO session_share (session_id, id, secret, url, time_created, time_updated)
  SELECT id, 'share', 'secret', 'https://example.com/share', time_updated + 1, time_updated + 2
  FROM session ORDER BY id LIMIT 1`

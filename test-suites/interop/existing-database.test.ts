import { databasePath } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { exportedSessions, rootTitles } from "./exported-session.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import { integrityOf, rowsOf } from "./rows.js"
import { convert, jsonStore } from "./sessile.js"

describeWithOpencode("a database in which opencode 1.18.34 has sessions of its own", () => {
  test("gets those of a JSON store as well, and none of its rows is changed", async () => {
    await using opencode = await OpencodeSandbox.create("1.18.34", databasePath("native-1.18.34"))
    const own = await opencode.listedTitles()
    const before = rowsOf(opencode.database)
    const sessions = await exportedSessions()

    await convert(jsonStore("v1.1.65"), opencode.address)
    const after = rowsOf(opencode.database)
    expect([...after.keys()]).toEqual([...before.keys()])
    for (const [table, rows] of before) expect(after.get(table)).toEqual(expect.arrayContaining(rows))
    expect(added("session")).toBe(14)
    expect(added("message")).toBe(64)
    expect(added("part")).toBe(169)
    expect(added("todo")).toBe(2)
    expect(integrityOf(opencode.database)).toEqual(["ok"])

    const rescued = rootTitles(sessions.map(({ info }) => info))
    expect(await opencode.listedTitles()).toEqual(new Map([...own, ...rescued]))
    expect(own.size + rescued.size).toBe(18)

    function added(table: string): number {
      return (after.get(table)?.length ?? 0) - (before.get(table)?.length ?? 0)
    }
  })
})

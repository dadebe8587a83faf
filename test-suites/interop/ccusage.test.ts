import { join } from "node:path"
import { fixturePath, temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { ccusage } from "./ccusage.js"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { convert, jsonStore } from "./sessile.js"

describeWithOpencode("ccusage", () => {
  test("reports the same from the JSON files and from the database that they were brought into", async () => {
    await using folder = await temporaryFolder()
    await convert(jsonStore("v1.1.65"), `opencode:${join(folder.path, "opencode.db")}`)

    const expected = await ccusage(fixturePath("v1.1.65"))
    expect(expected.totals).toMatchObject({ inputTokens: 33045, totalCost: expect.closeTo(0.14283, 12) })
    expect(await ccusage(folder.path)).toEqual(expected)
  })
})

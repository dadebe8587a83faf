import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { databasePath } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import type { ExportedRecord } from "./exported-session.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import { convert } from "./sessile.js"

const native = databasePath("native-1.18.34")

describeWithOpencode("the sessions of opencode 1.18.34 brought into JSON files", () => {
  test("are listed and exported by 1.1.65 as 1.18.34 shows them", async () => {
    await using newer = await OpencodeSandbox.create("1.18.34", native)
    await using older = await OpencodeSandbox.create("1.1.65")
    await convert(newer.address, `json:${older.storage}`)
    // What that release knows nothing of: when the rows were written.
    expect(await readdir(join(older.storage, "row_times"))).toHaveLength(7)
    expect(await older.listedTitles()).toEqual(await newer.listedTitles())

    await using server = await newer.serve()
    const sessions = await server.get<ExportedRecord[]>("/session")
    expect(sessions).toHaveLength(7)
    for (const { cost, tokens, ...info } of sessions) {
      const messages = await server.messages(info.id)
      expect(await older.exportSession(info.id)).toEqual({ info, messages })
    }
  })
})

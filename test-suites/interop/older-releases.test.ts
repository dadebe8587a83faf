import { fixturePath } from "@sessile/fixtures"
import { beforeAll, describe, expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import { rowsOf } from "./rows.js"
import { convert } from "./sessile.js"

describeWithOpencode("the sessions of releases before 1.1, brought into the database of 1.18.34", () => {
  describe.each(["v1.0.61", "v0.5.29"] as const)("%s", (name) => {
    let ids: string[]
    let refusals: string[]

    beforeAll(async () => {
      await using opencode = await OpencodeSandbox.create("1.18.34")
      await convert(`json:${fixturePath(name)}`, opencode.address)
      ids = (rowsOf(opencode.database).get("session") ?? []).map(({ id = "" }) => id.slice(1, -1))
      await using server = await opencode.serve()
      const answers = await Promise.allSettled(ids.map((id) => server.messages(id)))
      refusals = answers.flatMap((answer) => (answer.status === "rejected" ? String(answer.reason) : []))
    })

    test("are there", () => {
      expect(ids).toHaveLength(9)
    })

    // Their messages lack what releases since 1.15 insist on: agent, model, parentID, and reason of the last step.
    test.fails("are shown with their messages", () => {
      expect(refusals).toEqual([])
    })
  })
})

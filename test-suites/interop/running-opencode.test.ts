import { databasePath } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import type { ExportedMessage, ExportedRecord } from "./exported-session.js"
import { manySessions } from "./many-sessions.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import type { OpencodeServer } from "./opencode-server.js"
import { integrityOf } from "./rows.js"
import { convert } from "./sessile.js"

describeWithOpencode("opencode 1.18.34, serving while sessions are brought into its database", () => {
  test("answers all along, keeps what it writes, and lists its own sessions and the others", async () => {
    await using store = await manySessions(500)
    await using opencode = await OpencodeSandbox.create("1.18.34", databasePath("native-1.18.34"))
    {
      await using server = await opencode.serve()
      const own = await server.sessionIDs()
      expect(own).toHaveLength(7)
      // The first one takes long: whatever opencode needs for it is loaded.
      const asked = [await ask(server, "Are you there?")]

      let isConverting = true
      const conversion = convert(store.address, opencode.address).finally(() => {
        isConverting = false
      })
      do asked.push(await ask(server, `Question ${asked.length}`))
      while (isConverting)
      expect((await conversion).ledger).toMatchObject({ found: 3000, written: 3000 })
      asked.push(await ask(server, "Still there?"))

      const askedIDs = asked.map(({ info }) => info.sessionID)
      expect(await server.sessionIDs()).toEqual([...own, ...store.ids, ...askedIDs].sort())
      for (const message of asked) {
        expect(await server.messages(message.info.sessionID as string)).toEqual([message])
      }
    }
    expect(integrityOf(opencode.database)).toEqual(["ok"])
  })
})

/** Opens a session with a question to which no answer is wanted. */
async function ask(server: OpencodeServer, text: string): Promise<ExportedMessage> {
  const { id } = await server.post<ExportedRecord>("/session", { title: text })
  return server.post(`/session/${id}/message`, {
    noReply: true,
    model: { providerID: "mock", modelID: "mock-large" },
    parts: [{ type: "text", text }],
  })
}

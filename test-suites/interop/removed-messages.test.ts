import { cp } from "node:fs/promises"
import { join } from "node:path"
import { fixturePath } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { exportedSessions } from "./exported-session.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import { sessileOf } from "./sessile.js"

describeWithOpencode(
  "a session that was rescued, and of which messages were taken back in opencode 1.18.34",
  () => {
    test("does not get them again from the next rescue, which tells of them", async () => {
      await using opencode = await OpencodeSandbox.create("1.18.34")
      await cp(join(fixturePath("v1.1.65"), "storage"), opencode.storage, { recursive: true })
      await rescue(opencode)
      const sessions = await exportedSessions()
      const session = sessions.find(({ messages }) => messages.length >= 4)
      const { id } = session?.info ?? { id: "" }
      const questions = session?.messages.filter(({ info }) => info.role === "user") ?? []
      const kept = session?.messages.findIndex(({ info }) => info.id === questions.at(-1)?.info.id) ?? 0
      await using server = await opencode.serve()
      const shown = async () => (await server.messages(id)).map(({ info }) => info.id)
      await server.post(`/session/${id}/revert`, { messageID: questions.at(-1)?.info.id })
      await server.post(`/session/${id}/message`, {
        noReply: true,
        model: { providerID: "mock", modelID: "mock-large" },
        parts: [{ type: "text", text: "Another way" }],
      })
      const before = await shown()
      expect(before).toHaveLength(kept + 1)

      const { outcome, removed } = await rescue(opencode)
      expect({ outcome, removed }).toMatchObject({ outcome: "nothing", removed: [{ id }] })
      expect(await shown()).toEqual(before)
    })
  },
)

async function rescue(opencode: OpencodeSandbox): Promise<{ outcome: string; removed: unknown[] }> {
  const { stdout } = await sessileOf(opencode, "rescue", "--yes", "--json", "--quiet")
  return JSON.parse(stdout)
}

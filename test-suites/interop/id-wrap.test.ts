import { cp } from "node:fs/promises"
import { join } from "node:path"
import { fixturePath } from "@sessile/fixtures"
import { answer, ModelServer, text, usage } from "@sessile/model-server"
import { expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { opencodeWithModels } from "./engine-opencode.js"
import { sessileOf } from "./sessile.js"
import { useWorktree } from "./worktree.js"

describeWithOpencode("a conversation from before the wrap of ids that was rescued", () => {
  test.each([
    ["1.18.14", "is not answered", false],
    ["1.18.15", "is answered", true],
  ])(
    "and is continued with opencode %s %s, and the plan names the release to use",
    async (version, _, isAnswered) => {
      const reply = answer(text("Here is the answer"), usage({ input: 100, output: 9, cached: 0 }))
      await using models = await ModelServer.start(() => reply)
      await using opencode = await opencodeWithModels(models, version)
      await cp(join(fixturePath("v1.1.65-id-wrap"), "storage"), opencode.storage, { recursive: true })
      await useWorktree(opencode.storage, opencode.worktree)
      const { stdout } = await sessileOf(opencode, "rescue", "--yes", "--json")
      const [session = ""]: string[] = JSON.parse(stdout).sessionsBeforeWrap
      expect(session).toMatch(/^ses_/)
      await using server = await opencode.serve()
      await server.post(`/session/${session}/message`, {
        model: { providerID: "mock", modelID: "large" },
        parts: [{ type: "text", text: "And now?" }],
      })
      const parts = (await server.messages(session)).flatMap((message) => message.parts)
      expect(parts.some((part) => part.text === "And now?")).toBe(true)
      expect(parts.some((part) => part.text === "Here is the answer")).toBe(isAnswered)
    },
  )
})

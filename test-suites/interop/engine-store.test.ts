import { answer, inOrder, ModelServer, text, toolCall, usage } from "@sessile/model-server"
import { expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { outline } from "./engine-comparison.js"
import { small } from "./engine-models.js"
import { opencodeWithModels } from "./engine-opencode.js"
import { SessileEngine } from "./engine-sessile.js"
import { rootTitles } from "./exported-session.js"
import { storedSessions } from "./stored-sessions.js"

describeWithOpencode("a session that the engine wrote to a store of JSON files", () => {
  test("is listed, exported and continued by opencode 1.1.65, and then by the engine again", async () => {
    const steps = inOrder(
      answer(toolCall("bash", { command: "echo done", description: "Say done" }), used),
      answer(toolCall("task", { description: "look", prompt: "Look", subagent_type: "general" }), used),
      answer(text("I have looked"), used),
      answer(text("All is done"), used),
      answer(text("The user wanted something said"), used),
      answer(text("This is opencode"), used),
      answer(text("This is the engine"), used),
    )
    const title = answer(text("A title"), used)
    await using models = await ModelServer.start((request) =>
      request.model === small.modelID ? title : steps(request),
    )
    await using opencode = await opencodeWithModels(models)
    const sessionID = await withEngine(async (engine) => {
      const id = await engine.createSession()
      await engine.ask(id, ask("Say it, and look"))
      await engine.compact(id)
      return id
    })

    const written = await storedSessions(opencode.storage)
    expect(written.map(({ info }) => info.title)).toEqual(["look (@general subagent)", "A title"])
    expect(await opencode.listedTitles()).toEqual(rootTitles(written.map(({ info }) => info)))
    for (const session of written) expect(await opencode.exportSession(session.info.id)).toEqual(session)

    const { exitCode, stdout } = await opencode.run("run", "-s", sessionID, "Who are you?")
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("opencode") })
    await withEngine((engine) => engine.ask(sessionID, ask("And now?")))

    const continued = (await storedSessions(opencode.storage)).filter(({ info }) => info.id === sessionID)
    // opencode does not always wait for its titles.
    expect(outline(continued).map((line) => line.replace(/ ".*"/, ""))).toEqual([
      "asked: text",
      "build tool-calls: step-start, bash completed, step-finish",
      "build tool-calls: step-start, task completed, step-finish",
      "build stop: step-start, text, step-finish",
      "asked: compaction",
      "compaction stop: step-start, text, step-finish",
      "asked: text",
      "build stop: step-start, text, step-finish",
      "asked: text",
      "build stop: step-start, text, step-finish",
    ])
    // Each was shown the summary of the one, and what the other said.
    const shown = models.requests.filter(({ body }) => body.model !== small.modelID).slice(-2)
    for (const { body } of shown) expect(said(body)).toContain("The user wanted something said")
    expect(said(shown[1]?.body)).toContain("This is opencode")

    async function withEngine<T>(use: (engine: SessileEngine) => Promise<T>): Promise<T> {
      const { worktree, storage } = opencode
      await using engine = await SessileEngine.start(models, { worktree, storage })
      return await use(engine)
    }
  })
})

const used = usage({ input: 1_000, output: 9, cached: 900 })

function ask(words: string) {
  return { parts: [{ type: "text", text: words }] } as const
}

function said(body: unknown): string {
  return JSON.stringify(body)
}

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Models } from "@sessile/core/engine"
import { temporaryFolder } from "@sessile/fixtures"
import { answer, inOrder, ModelServer, refusal, text, toolCall } from "@sessile/model-server"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { describe, expect, test } from "vitest"
import { runAgent } from "./agent.js"
import { demoModels, demoPrompt, endpointModels } from "./models.js"
import { recordDemo } from "./testing/record-demo.js"

describe("the demo", () => {
  test("looks around, asks, and writes its notes, with neither key nor network", async () => {
    await using folder = await temporaryFolder()
    const { printed, asked } = await talk(folder.path, await demoModels(), [demoPrompt], ["y"])
    expect(printed).toContain("I will look around first.")
    expect(printed).toContain("[write NOTES.md]")
    expect(printed).toContain("Done: NOTES.md is there.")
    expect(asked).toEqual(["Allow edit NOTES.md? (y)es, (a)lways, (n)o: "])
    expect(await readFile(join(folder.path, "NOTES.md"), "utf8")).toContain("# Notes")
  })

  test("writes nothing when that is not allowed", async () => {
    await using folder = await temporaryFolder()
    await talk(folder.path, await demoModels(), [demoPrompt], ["n"])
    await expect(readFile(join(folder.path, "NOTES.md"))).rejects.toThrow("ENOENT")
  })

  test("is what a model said to this agent", async () => {
    await using folder = await temporaryFolder()
    const recording = `${JSON.stringify(await recordDemo(folder.path), null, 2)}\n`
    await expect(recording).toMatchFileSnapshot("../demo.json")
  })
})

test("on an endpoint it uses its tools, and keeps the session", async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, "a.txt"), "alpha")
  const steps = inOrder(
    answer(toolCall("list", { path: "." }), toolCall("read", { path: "a.txt" })),
    answer(toolCall("bash", { command: "tr a-z A-Z < a.txt" })),
    answer(text("It says alpha.")),
    answer(text("Goodbye.")),
  )
  await using server = await ModelServer.start((request) =>
    request.tools === undefined ? answer(text("Reading a file")) : steps(request),
  )
  const models = endpointModels(server.url, "large", "key")
  const { printed } = await talk(folder.path, models, ["What does a.txt say?", "Bye"], ["a"])

  expect(printed).toContain("It says alpha.\nGoodbye.\n")
  const results = server.requests.flatMap(({ body }) => body.messages.filter(({ role }) => role === "tool"))
  expect(results.map(({ content }) => content)).toEqual(
    expect.arrayContaining([".store\na.txt", "alpha", "ALPHA"]),
  )

  await using storage = await SqliteStorage.open({ path: join(folder.path, ".store", "agent.db") })
  const titles: string[] = []
  for await (const { value } of storage.scan<{ title: string }>(["session"])) titles.push(value.title)
  expect(titles).toEqual(["Reading a file"])
})

test("what goes wrong is told", async () => {
  await using folder = await temporaryFolder()
  await using server = await ModelServer.start(() => refusal(401, "bad key"))
  const { printed } = await talk(folder.path, endpointModels(server.url, "large", "key"), ["Hi"], [])
  expect(printed).toContain("Failed: bad key")
})

test("is at most 150 lines long, blank lines and comments included", async () => {
  const folder = new URL(".", import.meta.url)
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")))
  expect(sources.join("").trimEnd().split("\n").length).toBeLessThanOrEqual(150)
})

/** Runs the agent on these prompts, and answers its questions with these replies. */
async function talk(folder: string, models: Models, prompts: readonly string[], replies: readonly string[]) {
  const printed: string[] = []
  const asked: string[] = []
  const remaining = replies.values()
  const ask = async (question: string) => {
    asked.push(question)
    return remaining.next().value ?? ""
  }
  await mkdir(join(folder, ".store"))
  const store = join(folder, ".store", "agent.db")
  const print = (text: string) => void printed.push(text)
  await runAgent({ folder, store, models, prompts, print, ask })
  return { printed: printed.join(""), asked }
}

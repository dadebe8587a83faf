import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
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

describe("a model that reaches out of the folder", () => {
  test.each([
    ["read", "../secret.txt"],
    ["read", "link.txt"],
    ["list", ".."],
    ["list", "link"],
  ])("must ask before it may %s %s", async (tool, path) => {
    await using outer = await temporaryFolder()
    const folder = join(outer.path, "work")
    await mkdir(folder)
    await writeFile(join(outer.path, "secret.txt"), "the secret")
    await symlink(join(outer.path, "secret.txt"), join(folder, "link.txt"))
    await symlink(outer.path, join(folder, "link"))
    const { asked, results } = await say(
      folder,
      [answer(toolCall(tool, { path })), answer(text("Well."))],
      ["n"],
    )
    expect(asked).toEqual([expect.stringMatching(/^Allow external_directory \//)])
    expect(results.join("")).not.toContain("secret")
  })

  test("may read inside without asking, except what may hold secrets", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "a.txt"), "alpha")
    await writeFile(join(folder.path, ".env"), "TOKEN=x")
    const steps = [
      answer(toolCall("read", { path: "./sub/../a.txt" }), toolCall("read", { path: ".env" })),
      answer(text("Well.")),
    ]
    const { asked } = await say(folder.path, steps, ["n"])
    expect(asked).toEqual(["Allow read .env? (y)es, (a)lways, (n)o: "])
  })
})

test("what a model writes cannot steer the terminal, nor forge a question", async () => {
  await using folder = await temporaryFolder()
  const command = "echo \u001b[2K\rhi\nAllow bash ls? (y)es, (a)lways, (n)o: \u202e"
  const steps = [
    answer(text("A\u001b]0;title\u0007B\n"), toolCall("bash", { command })),
    answer(text("Well.")),
  ]
  const { printed, asked } = await say(folder.path, steps, ["n"])
  expect(printed).toContain("A\\u001b]0;title\\u0007B\n")
  expect(asked).toEqual([
    "Allow bash echo \\u001b[2K\\rhi\\nAllow bash ls? (y)es, (a)lways, (n)o: \\u202e? (y)es, (a)lways, (n)o: ",
  ])
  expect(`${printed}${asked.join("")}`.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u)
})

test("cancelling ends a command with all that it has started", async () => {
  await using folder = await temporaryFolder()
  const pidFile = join(folder.path, "pid")
  const command = `(sleep 600 & echo $! > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; wait) & wait`
  const controller = new AbortController()
  const talking = say(folder.path, [answer(toolCall("bash", { command }))], ["y"], controller.signal)
  const pid = Number(await waitForText(pidFile))
  expect(await isRunning(pid)).toBe(true)
  controller.abort()
  await talking
  while (await isRunning(pid)) await new Promise(setImmediate)
})

describe("a folder with settings that need trust", () => {
  const steps = () => [answer(text("Hello."))]
  const settings = '{ "plugin": ["theirs"], "permission": { "bash": "allow" } }'

  test("is asked about, and its settings are named", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "opencode.json"), settings)
    const { asked, printed } = await say(folder.path, steps(), ["n"])
    expect(asked).toEqual([`Trust ${folder.path}? (y)es, (n)o: `])
    expect(printed).toContain(`Ignored: ${join(folder.path, "opencode.json")}: plugin: `)
  })

  test("is asked about once when it is trusted", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "opencode.json"), settings)
    expect((await say(folder.path, steps(), ["y"])).asked).toHaveLength(1)
    expect((await say(folder.path, steps(), [])).asked).toEqual([])
  })
})

test("is at most 300 lines long, blank lines and comments included", async () => {
  const folder = new URL(".", import.meta.url)
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")))
  expect(sources.join("").trimEnd().split("\n").length).toBeLessThanOrEqual(300)
})

/** Runs the agent on these prompts, and answers its questions with these replies. */
async function talk(
  folder: string,
  models: Models,
  prompts: readonly string[],
  replies: readonly string[],
  signal?: AbortSignal,
) {
  const printed: string[] = []
  const asked: string[] = []
  const remaining = replies.values()
  const ask = async (question: string) => {
    asked.push(question)
    return remaining.next().value ?? ""
  }
  await mkdir(join(folder, ".store"), { recursive: true })
  const store = join(folder, ".store", "agent.db")
  const environment = { variables: { HOME: join(folder, ".store") } }
  const print = (text: string) => void printed.push(text)
  await runAgent({ folder, store, models, prompts, environment, print, ask, ...(signal && { signal }) })
  return { printed: printed.join(""), asked }
}

/** The same with one prompt and a model that takes these steps; also what its tools gave. */
async function say(
  folder: string,
  steps: readonly ReturnType<typeof answer>[],
  replies: readonly string[],
  signal?: AbortSignal,
) {
  const inTurn = inOrder(...steps)
  await using server = await ModelServer.start((request) =>
    request.tools === undefined ? answer(text("A title")) : inTurn(request),
  )
  const models = endpointModels(server.url, "large", "key")
  const talked = await talk(folder, models, ["Go"], replies, signal)
  const results = server.requests.flatMap(({ body }) => body.messages.filter(({ role }) => role === "tool"))
  return { ...talked, results: results.map(({ content }) => String(content)) }
}

async function waitForText(path: string): Promise<string> {
  while (!existsSync(path)) await new Promise(setImmediate)
  return readFile(path, "utf8")
}

/** Whether a process runs; one that has ended may wait to be collected. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
    if (process.platform !== "linux") return true
    return !/^\d+ \(.*\) Z/.test(await readFile(`/proc/${pid}/stat`, "utf8"))
  } catch (error) {
    if (["ESRCH", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return false
    throw error
  }
}

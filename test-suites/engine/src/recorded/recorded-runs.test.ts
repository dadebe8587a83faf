import { readFile } from "node:fs/promises"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { aiSdkDriver } from "@sessile/ai-sdk"
import { type RecordedExchange, recordDriver, replayDriver } from "@sessile/core/engine"
import { MemoryStorage, type Storage } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { answer, ModelServer, text } from "@sessile/model-server"
import { durableStores, records } from "@sessile/sessions-suite/stores"
import { describe, expect, test } from "vitest"
import { outline } from "./outline.js"
import { play } from "./play.js"
import { type Scenario, scenarios } from "./scenarios.js"

describe.each(scenarios)("the run $name", (scenario) => {
  const { name } = scenario
  const path = new URL(`../../recordings/${name}.json`, import.meta.url)

  test("is recorded as it was; after a change, vitest -u records it anew", async () => {
    const live = new MemoryStorage()
    const exchanges = await record(scenario, live)
    const recording = `${JSON.stringify({ version: 1, exchanges }, null, 2)}\n`
    await expect(recording).toMatchFileSnapshot(`../../recordings/${name}.json`)
    await expect(await outline(live)).toMatchFileSnapshot(`../../recordings/${name}.txt`)
    expect(await replay(JSON.parse(recording), new MemoryStorage())).toBe(await stored(live))
  })

  test.each(durableStores)("leaves the same bytes in $name as in memory", async ({ open }) => {
    const recording: unknown = JSON.parse(await readFile(path, "utf8"))
    const expected = await replay(recording, new MemoryStorage())
    await using folder = await temporaryFolder()
    const storage = await open(folder.path)
    expect(await replay(recording, storage)).toBe(expected)
    await storage.close()
    await using reopened = await open(folder.path)
    expect(await stored(reopened)).toBe(expected)
  })

  async function replay(recording: unknown, storage: Storage): Promise<string> {
    const driver = replayDriver(recording)
    await play(scenario, storage, driver)
    expect(driver.remaining).toBe(0)
    return stored(storage)
  }
})

/** Plays a scenario with a model behind HTTP; the exchanges with the small model, for titles, come last. */
async function record(scenario: Scenario, storage: Storage): Promise<RecordedExchange[]> {
  const script = scenario.script()
  await using server = await ModelServer.start((request) =>
    request.model === "small" ? answer(text("A title")) : script(request),
  )
  const provider = createOpenAICompatible({
    name: "mock",
    baseURL: "http://model.example/v1",
    includeUsage: true,
    // Errors name the address, which is another one each time.
    fetch: (url, options) => fetch(String(url).replace("http://model.example/v1", server.url), options),
  })
  const exchanges: RecordedExchange[] = []
  const driver = recordDriver(
    { stream: (request) => aiSdkDriver({ model: provider(request.model.modelID) }).stream(request) },
    (exchange) => exchanges.push(exchange),
  )
  await play(scenario, storage, driver)
  // When titles come is a matter of chance.
  const titles = exchanges.filter(isTitle).sort((a, b) => (a.request.sha256 < b.request.sha256 ? -1 : 1))
  return [...exchanges.filter((exchange) => !isTitle(exchange)), ...titles]
}

function isTitle({ request }: RecordedExchange): boolean {
  return request.model === "mock/small"
}

/** All that a store holds, as text: the order of fields counts. */
async function stored(storage: Storage): Promise<string> {
  return (await records(storage)).map((record) => JSON.stringify(record)).join("\n")
}

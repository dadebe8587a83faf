import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Part } from "@sessile/core/model"
import { Sessions } from "@sessile/core/session"
import { MemoryStorage } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { gather } from "@sessile/sessions-suite/stores"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { expect, test } from "vitest"
import { project } from "../open-engine.js"
import { runCrowd, STEPS, saying, toolOutput } from "./crowd.js"

const run = promisify(execFile)
const program = fileURLToPath(new URL("../../dist/crowd/crowd-program.js", import.meta.url))

/** Requests that were kept after they are answered would take more than twice as much. */
const MOST_MEGABYTES = 96

test("100 sessions of 50 steps at once lose nothing, mix nothing up, and stay small", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "store.db")
  const names = Array.from({ length: 100 }, (_, index) => `Worker ${index}`)
  const { stdout } = await run(process.execPath, [
    `--max-old-space-size=${MOST_MEGABYTES}`,
    program,
    path,
    ...names,
  ])
  expect(JSON.parse(stdout)).toEqual(await runCrowd(new MemoryStorage(), ["Worker alone"]))

  await using storage = await SqliteStorage.open({ path })
  const sessions = new Sessions({ storage, project })
  const listed = await gather(sessions.list())
  expect(listed.map(({ title }) => title).toSorted()).toEqual(names.toSorted())
  for (const { id, title } of listed) {
    const [question, ...answers] = await sessions.messages.load(id)
    expect(said(question?.parts)).toEqual([title])
    expect(answers.map(({ parts }) => said(parts))).toEqual(expectedAnswers(title))
    for (const { info } of answers) expect(info).toMatchObject({ parentID: question?.info.id })
  }
})

function expectedAnswers(name: string): string[][] {
  return Array.from({ length: STEPS }, (_, step) => {
    const text = saying(name, step)
    return step + 1 < STEPS ? [text, toolOutput(text)] : [text]
  })
}

/** What was said, and what tools gave. */
function said(parts: readonly Part[] = []): string[] {
  return parts.flatMap((part) => {
    if (part.type === "text") return [part.text]
    return part.type === "tool" && part.state.status === "completed" ? [part.state.output] : []
  })
}

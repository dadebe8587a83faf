import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { MessageWithParts, Sessions } from "@sessile/core/session"
import type { Storage } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { gather } from "@sessile/sessions-suite/stores"
import { JsonStorage } from "@sessile/storage-json"
import { LevelStorage } from "@sessile/storage-level"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { describe, expect, test } from "vitest"
import { openEngine } from "../open-engine.js"
import { Account, isFinalMessage, isFinalPart, isUnfinishedSummary } from "./told.js"
import { countingTool, worker } from "./worker.js"

const program = fileURLToPath(new URL("../../dist/killed/killed-program.js", import.meta.url))

/** A question is answered within about 70 lines. */
const MOST_LINES = 250

describe.each([
  { Adapter: JsonStorage, kills: 17 },
  { Adapter: SqliteStorage, kills: 17 },
  { Adapter: LevelStorage, kills: 16 },
])("$Adapter.name", ({ Adapter, kills }) => {
  // Each somewhere in a stretch of its own, so that together they are everywhere.
  const points = Array.from({ length: kills }, (_, kill) =>
    Math.ceil(((kill + Math.random()) / kills) * MOST_LINES),
  )

  test.concurrent.each(points)(
    "a run that is killed when it has told %i things goes on, and has lost none",
    async (point) => {
      await using folder = await temporaryFolder()
      const path = `${folder.path}/store`
      const sessionID = await prepare(await Adapter.open({ path }))
      const account = await runUntilKilled([Adapter.name, path, sessionID], point)

      await using storage = await Adapter.open({ path })
      const calls: string[] = []
      const tools = [countingTool((callID) => calls.push(callID))]
      const { engine, sessions } = openEngine(storage, { driver: worker, tools, settings: { titles: false } })
      const resumed = await engine.resume(sessionID)
      expect(resumed?.info).toMatchObject({ finish: "stop" })
      await expectAllOf(account, storage)
      expect(calls.filter((callID) => account.calls.has(callID))).toEqual([])

      const answer = await engine.prompt(sessionID, { parts: [{ type: "text", text: "Once more" }] })
      expect(answer.info).toMatchObject({ finish: "stop" })
      expect((await everyMessage(sessions)).flatMap(loose)).toEqual([])
      await expectAllOf(account, storage)
      await engine.close()
    },
  )
})

async function prepare(storage: Storage): Promise<string> {
  const { sessions } = openEngine(storage, { driver: worker, tools: [] })
  const { id } = await sessions.create()
  await storage.close()
  return id
}

/** Runs the program, kills it once it has told so many things, and gives all that it told. */
async function runUntilKilled(parameters: readonly string[], point: number): Promise<Account> {
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ["ignore", "pipe", "inherit"] })
  const account = new Account()
  const closed = once(child, "close")
  let lines = 0
  createInterface(child.stdout).on("line", (line) => {
    if (!line.endsWith("}")) return
    account.add(JSON.parse(line))
    if (++lines === point) child.kill("SIGKILL")
  })
  expect(await closed).toEqual([null, "SIGKILL"])
  return account
}

/** What was told is stored: what was final is as it was, and the rest is at least there. */
async function expectAllOf({ messages, parts }: Account, storage: Storage): Promise<void> {
  for (const message of messages.values()) {
    if (isUnfinishedSummary(message)) continue
    const stored = await storage.read(["message", message.sessionID, message.id])
    if (isFinalMessage(message)) expect(stored).toEqual(message)
  }
  for (const part of parts.values()) {
    if (isUnfinishedSummary(messages.get(part.messageID))) continue
    const stored = await storage.read(["part", part.messageID, part.id])
    if (isFinalPart(part)) expect(stored).toEqual(part)
  }
}

/** The messages of all sessions, also of those of subagents. */
async function everyMessage(sessions: Sessions): Promise<MessageWithParts[]> {
  const listed = await gather(sessions.list())
  return (await Promise.all(listed.map(({ id }) => sessions.messages.load(id)))).flat()
}

/** What of a message has no end. */
function loose({ info, parts }: MessageWithParts): string[] {
  return [
    ...(isFinalMessage(info) ? [] : [info.id]),
    ...parts.filter((part) => !isFinalPart(part)).map(({ id }) => id),
  ]
}

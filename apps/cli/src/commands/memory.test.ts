import { spawn } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { type TemporaryFolder, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"

const program = fileURLToPath(new URL("../testing/peak-memory.mjs", import.meta.url))
const RECORD = 60_000_000

/** What the program takes varies that much from run to run. */
const TOLERANCE = 30_000_000

/** A record that was changed so recently, in milliseconds, is read once more at the end. */
const RECENT = 2_500

describe("a large record takes at most four times its size, beside what the program takes anyway", () => {
  test.each([
    ["JSON to SQLite", "x", ["convert", "json:data", "sqlite:history.db"]],
    ["JSON to SQLite, no Latin-1", "日", ["convert", "json:data", "sqlite:history.db"]],
    ["JSON to opencode's database", "x", ["convert", "json:data", "opencode:opencode.db"]],
    ["a rescue", "x", ["rescue", "--data", "data", "--database", "opencode.db", "--yes"]],
  ])("%s", async (_, character, command) => {
    await using large = await historyWith(character.repeat(RECORD / Buffer.byteLength(character)))
    const written = Date.now()
    let smallest = Number.POSITIVE_INFINITY
    while (smallest === Number.POSITIVE_INFINITY || Date.now() - written < RECENT) {
      await using small = await historyWith(character)
      smallest = Math.min(smallest, await peakOf(command, small.path))
    }
    const peak = await peakOf(command, large.path)
    expect((peak - smallest - TOLERANCE) / RECORD).toBeLessThan(4)
  })
})

/** A history with one part of that text. */
async function historyWith(content: string): Promise<TemporaryFolder> {
  const folder = await temporaryFolder()
  const write = async (name: string, value: object) => {
    const file = join(folder.path, "data", "storage", `${name}.json`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify(value, undefined, 2))
  }
  const time = { created: 1, updated: 1 }
  const sessionID = "ses_1"
  const messageID = "msg_1"
  const session = { id: sessionID, projectID: "p", directory: "/p", title: "t", version: "1", time }
  await write("project/p", { id: "p", worktree: "/p", time })
  await write("session/p/ses_1", session)
  await write("message/ses_1/msg_1", { id: messageID, sessionID, role: "user", time })
  await write("part/msg_1/prt_1", { id: "prt_1", sessionID, messageID, type: "text", text: content })
  return folder
}

/** The most memory that a command takes, in bytes. */
async function peakOf(command: readonly string[], cwd: string): Promise<number> {
  const child = spawn(process.execPath, [program, ...command, "--quiet"], {
    cwd,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  })
  return Number(await text(child.stdio[3] as Readable))
}

import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Sessions } from "@sessile/core/session"
import type { Storage } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { JsonStorage } from "@sessile/storage-json"
import { LevelStorage } from "@sessile/storage-level"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { describe, expect, test } from "vitest"
import { question } from "./life-cycle.js"
import { gather, records } from "./stores.js"

const project = { id: "acme", worktree: "/home/dev/acme", vcs: "git" }

// With 2 parts each, the session itself and 4 further things that a session may have, these make 23 changes to remove a
// session, as many to remove its child before, and 19 to fork it.
const MESSAGES = 6

describe("JsonStorage", () => {
  test.each([1, 14, 23, 24, 46])(
    "a removal that is killed before its change number %i is finished by the next",
    async (dieBefore) => {
      await using folder = await temporaryFolder()
      const path = join(folder.path, "storage")
      const { before, sessionID } = await prepare(await JsonStorage.open({ path }))
      const signal = await run({ kind: "JsonStorage", path, project, action: "remove", sessionID, dieBefore })
      expect(signal).toBe("SIGKILL")

      await using storage = await JsonStorage.open({ path })
      const sessions = new Sessions({ storage, project })
      expect((await gather(sessions.list())).map(({ id }) => id)).toContain(sessionID)
      await sessions.remove(sessionID)
      expect(await records(storage)).toEqual(before)
    },
  )

  test.each([2, 18, 19])(
    "a fork that is killed before its change number %i is not seen, and made by the next",
    async (dieBefore) => {
      await using folder = await temporaryFolder()
      const path = join(folder.path, "storage")
      const { sessionID } = await prepare(await JsonStorage.open({ path }))
      await run({ kind: "JsonStorage", path, project, action: "fork", sessionID, dieBefore })

      await using storage = await JsonStorage.open({ path })
      const sessions = new Sessions({ storage, project })
      expect(await gather(sessions.list())).toHaveLength(3)
      const fork = await sessions.fork(sessionID)
      expect(await sizes(sessions, fork.id)).toEqual(await sizes(sessions, sessionID))
      expect(await gather(sessions.list())).toHaveLength(4)
    },
  )
})

describe.each([
  { kind: "SqliteStorage", Adapter: SqliteStorage },
  { kind: "LevelStorage", Adapter: LevelStorage },
] as const)("$kind", ({ kind, Adapter }) => {
  test.each(["remove", "fork"] as const)("a %s that is killed has happened, or has not", async (action) => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "store")
    const { before, sessionID } = await prepare(await Adapter.open({ path }))
    for (let attempt = 0; attempt < 4; attempt++) {
      await run({ kind, path, project, action, sessionID })
      await using storage = await Adapter.open({ path })
      const sessions = new Sessions({ storage, project })
      const listed = (await gather(sessions.list())).filter(({ parentID }) => parentID === undefined)
      for (const { id } of listed.filter(({ title }) => title.startsWith("Doomed"))) {
        expect(await sizes(sessions, id)).toEqual(Array(MESSAGES).fill(2))
      }
      if (action === "remove" && listed.every(({ id }) => id !== sessionID)) break
    }
    await using storage = await Adapter.open({ path })
    const sessions = new Sessions({ storage, project })
    for (const { id, title } of await gather(sessions.list({ roots: true }))) {
      if (title.startsWith("Doomed")) await sessions.remove(id)
    }
    expect(await records(storage)).toEqual(before)
  })
})

/** Stores a session that stays and, with a child, one that is to be removed or forked. */
async function prepare(
  storage: Storage,
): Promise<{ readonly before: [string, unknown][]; readonly sessionID: string }> {
  const sessions = new Sessions({ storage, project })
  await talk(sessions, (await sessions.create({ title: "Kept" })).id)
  const before = await records(storage)
  const { id: sessionID } = await sessions.create({ title: "Doomed" })
  const { id: childID } = await sessions.create({ title: "Child", parentID: sessionID })
  for (const id of [sessionID, childID]) await talk(sessions, id)
  await storage.close()
  return { before, sessionID }
}

async function talk(sessions: Sessions, sessionID: string): Promise<void> {
  for (let count = 0; count < MESSAGES; count++) {
    await sessions.messages.add(sessionID, question, [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ])
  }
}

/** How many parts each message has. */
async function sizes(sessions: Sessions, sessionID: string): Promise<number[]> {
  return (await sessions.messages.load(sessionID)).map(({ parts }) => parts.length)
}

interface Argument {
  readonly kind: "JsonStorage" | "SqliteStorage" | "LevelStorage"
  readonly path: string
  readonly project: { readonly id: string }
  readonly action: "remove" | "fork"
  readonly sessionID: string
  /** Without it the process is killed when it begins. */
  readonly dieBefore?: number
}

/** Starts a process, kills it when it says that it begins unless it kills itself, and gives how it ended. */
async function run(argument: Argument): Promise<string | null> {
  const script = fileURLToPath(new URL("killed-process.mjs", import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(argument)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  child.stdout.on("data", () => {
    if (argument.dieBefore === undefined) child.kill("SIGKILL")
  })
  const [, signal] = (await once(child, "close")) as [number | null, string | null]
  return signal
}

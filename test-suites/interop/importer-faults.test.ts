// What opencode's own import of JSON files got wrong, as far as opencode shows it. What takes no opencode to be
// seen is tested in @sessile/opencode-db.
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { copyDatabase, databasePath, fixturePath, temporaryFolder } from "@sessile/fixtures"
import { beforeAll, expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import {
  type ExportedMessage,
  type ExportedRecord,
  type ExportedSession,
  exportedSessions,
} from "./exported-session.js"
import { manySessions } from "./many-sessions.js"
import { OpencodeSandbox, type Outcome } from "./opencode-sandbox.js"
import type { OpencodeServer } from "./opencode-server.js"
import { recordFiles } from "./record-files.js"
import { integrityOf, rowsOf } from "./rows.js"
import { convert, jsonStore, type Report, sessileCommand, sessileOf, startSessile } from "./sessile.js"
import { usageOf } from "./usage.js"
import { projectID } from "./worktree.js"

const storageFolder = join(fixturePath("v1.1.65"), "storage")

// Each of these is damaged in its own way.
const withUnreadableMessage = "ses_e1e7b40a2ffeJ6h3ypIcirPxV9"
const withOddMessage = "ses_e1e7b3ff5ffekqwp1nRRNhzOd4"
const withoutTime = "ses_e1e7b3f5cffennBdQUADz2d8x5"

describeWithOpencode("a damaged store that was rescued, as opencode 1.18.34 shows it", () => {
  let opencode: OpencodeSandbox
  let server: OpencodeServer
  let sessions: ExportedSession[]
  let files: Map<string, string>
  let outcome: Outcome
  let ledger: Report["ledger"]

  beforeAll(async () => {
    sessions = await exportedSessions()
    opencode = await OpencodeSandbox.create("1.18.34")
    await cp(storageFolder, opencode.storage, { recursive: true })
    await damage(opencode.storage)
    files = await recordFiles(opencode.storage)
    outcome = await rescue(opencode)
    ledger = JSON.parse(outcome.stdout).conversion.ledger
    server = await opencode.serve()
    return async () => {
      await server[Symbol.asyncDispose]()
      await opencode[Symbol.asyncDispose]()
    }
  })

  test("has all sessions, though their project has no file", async () => {
    const listed = await server.get<ExportedRecord[]>("/session")
    expect(new Map(listed.map(({ id, title }) => [id, title]))).toEqual(
      new Map(sessions.map(({ info }) => [info.id, info.title])),
    )
  })

  test("has every part, also those of messages that cannot be read", async () => {
    for (const { info, messages } of sessions) {
      const shown = await server.messages(info.id)
      expect(shown.map(({ parts }) => parts)).toEqual(messages.map(({ parts }) => parts))
    }
  })

  test("has every message that can be read, also those beside the damaged ones", async () => {
    for (const { info, messages } of sessions) {
      const shown = await server.messages(info.id)
      expect(shown.filter(isSound)).toEqual(messages.filter(isSound))
    }
  })

  test("has the time of its identifier for a session that tells none", async () => {
    const expected = sessions.find(({ info }) => info.id === withoutTime)?.info.time as { created: number }
    const { time } = await server.get<ExportedRecord>(`/session/${withoutTime}`)
    expect(time).toEqual({ created: expected.created, updated: expected.created })
  })

  test("has what the sessions cost and took", async () => {
    for (const { info, messages } of sessions) {
      const { cost, tokens } = usageOf(messages.filter(isSound))
      expect(await server.get(`/session/${info.id}`)).toMatchObject({
        cost: expect.closeTo(cost, 12),
        tokens,
      })
    }
  })

  test("is not called complete: the exit code tells of what was left out", () => {
    expect(outcome).toMatchObject({ exitCode: 8, stderr: expect.stringContaining("2 records") })
  })

  test("is counted as what came of it: every record once, and none that is not there", () => {
    // Each file is a record; the diffs, the marker and the permissions were there already.
    const { found, written, present, setAside } = ledger
    expect({ found, setAside }).toEqual({ found: files.size + 1, setAside: 2 })
    expect(written + present + setAside).toBe(found)
    const rows = rowsOf(opencode.database)
    const count = (table: string) => rows.get(table)?.length ?? 0
    // Two messages were made for their parts, and the to-dos are one record.
    expect(count("session") + count("message") - 2 + count("part") + 1).toBe(written)
  })

  test("leaves the files as they were", async () => {
    expect(await recordFiles(opencode.storage)).toEqual(files)
  })

  async function damage(storage: string): Promise<void> {
    const path = (...key: string[]) => `${join(storage, ...key)}.json`
    await rm(path("project", projectID))
    await writeFile(path("message", withUnreadableMessage, damagedMessage(withUnreadableMessage)), '{ "id": ')
    await writeFile(path("message", withOddMessage, damagedMessage(withOddMessage)), "[]")
    const { time, ...session } = JSON.parse(await readFile(path("session", projectID, withoutTime), "utf8"))
    await writeFile(path("session", projectID, withoutTime), JSON.stringify(session))
    await mkdir(join(storage, "permission"))
    await writeFile(path("permission", projectID), "[]")
  }

  function isSound({ info }: ExportedMessage): boolean {
    return ![withUnreadableMessage, withOddMessage].map(damagedMessage).includes(info.id)
  }

  function damagedMessage(sessionID: string): string {
    return sessions.find(({ info }) => info.id === sessionID)?.messages[1]?.info.id as string
  }
})

describeWithOpencode("a store that was rescued", () => {
  test.concurrent.each(["1.2.27", "1.15.13"])("is not imported again when %s starts", async (version) => {
    await using opencode = await OpencodeSandbox.create(version)
    await cp(storageFolder, opencode.storage, { recursive: true })
    expect((await rescue(opencode)).exitCode).toBe(0)
    // At the first start the tables are brought up to date.
    await opencode.listSessions()
    const before = rowsOf(opencode.database)
    await writeFile(join(opencode.storage, "migration"), "1")

    const started = await opencode.run("session", "list")
    expect(started.exitCode).toBe(0)
    expect(started.stdout + started.stderr).not.toMatch(/migrat/i)
    for (const table of ["session", "message", "part", "todo"]) {
      expect(rowsOf(opencode.database).get(table)).toEqual(before.get(table))
    }
  })

  test.concurrent("is rescued once: the next run finds nothing to do and changes no row", async () => {
    await using opencode = await OpencodeSandbox.create("1.18.34", databasePath("native-1.18.34"))
    await cp(storageFolder, opencode.storage, { recursive: true })
    expect((await rescue(opencode)).exitCode).toBe(0)
    const before = rowsOf(opencode.database)
    const again = await rescue(opencode)
    expect(again.exitCode).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: "nothing", sessions: { missing: 0, both: 14 } })
    expect(rowsOf(opencode.database)).toEqual(before)
  })

  test.concurrent("is finished by the next run after one that was killed", async () => {
    await using store = await manySessions(500)
    await using opencode = await OpencodeSandbox.create("1.18.34", databasePath("empty-1.18.34"))
    const killed = startSessile("convert", store.address, opencode.address, "--quiet", "--no-backup")
    const exit = once(killed, "exit")
    const sessionsThere = () => rowsOf(opencode.database).get("session")?.length ?? 0
    while (killed.exitCode === null && sessionsThere() === 0) await setTimeout(5)
    killed.kill("SIGKILL")
    expect(await exit).toEqual([null, "SIGKILL"])
    const there = sessionsThere()
    expect(there).toBeGreaterThan(0)
    expect(there).toBeLessThan(500)

    const { ledger } = await convert(store.address, opencode.address)
    expect(ledger).toMatchObject({ found: 3000, written: 3000 - there * 6, present: there * 6, setAside: 0 })
    expect(integrityOf(opencode.database)).toEqual(["ok"])
    await using server = await opencode.serve()
    expect(await server.sessionIDs()).toEqual(store.ids.toSorted())
  })
})

const tracing = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0
if (!tracing) process.stderr.write('Skipped "is on the disk when the program ends": needs strace\n')

test.skipIf(!tracing)("what was brought in is on the disk when the program ends", async () => {
  await using target = await copyDatabase("empty-1.18.34")
  await using folder = await temporaryFolder()
  const trace = join(folder.path, "trace")
  const command = [
    ...sessileCommand,
    "convert",
    jsonStore("v1.1.65"),
    `opencode:${target.database}`,
    "--quiet",
  ]
  const options = ["-f", "-y", "-e", "trace=fsync,fdatasync", "-o", trace]
  expect(spawnSync("strace", [...options, ...command], { timeout: 60_000 }).status).toBe(0)
  expect(await readFile(trace, "utf8")).toMatch(/sync\(\d+<[^>]*opencode\.db-wal>/)
})

function rescue(opencode: OpencodeSandbox): Promise<Outcome> {
  return sessileOf(opencode, "rescue", "--yes", "--json", "--quiet")
}

import { existsSync } from "node:fs"
import { join } from "node:path"
import { copyFixture, type FixtureName, type TemporaryFolder, temporaryFolder } from "@sessile/fixtures"
import { LegacyStorage } from "@sessile/storage-json"
import { beforeAll, describe, expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import {
  type ExportedMessage,
  type ExportedRecord,
  type ExportedSession,
  rootTitles,
} from "./exported-session.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import { convert, sessile } from "./sessile.js"
import { sessionsIn, storedSessions } from "./stored-sessions.js"
import { makeWorktree, projectID, useWorktree } from "./worktree.js"

describeWithOpencode("the sessions of releases before 1.1, brought into a new database", () => {
  describe.each([
    { name: "v1.0.61", version: "1.15.13" },
    { name: "v1.0.61", version: "1.18.34" },
    { name: "v0.5.29", version: "1.15.13" },
    { name: "v0.5.29", version: "1.18.34" },
    { name: "v0.1.174", version: "1.18.34", own: 4, all: 5 },
  ] as const)("$name for $version", ({ name, version, own: ownCount = 8, all = 9 }: Case) => {
    let fixture: TemporaryFolder
    let opencode: OpencodeSandbox
    let sessions: ExportedSession[]

    beforeAll(async () => {
      opencode = await OpencodeSandbox.create(version)
      fixture = await copyFixture(name)
      // What was there of its repository tells the project of a store of 0.x.
      await useWorktree(fixture.path, opencode.worktree)
      sessions = await sessionsOf(fixture.path)
      await convert(`json:${fixture.path}`, opencode.address)
      return async () => {
        await fixture[Symbol.asyncDispose]()
        await opencode[Symbol.asyncDispose]()
      }
    })

    test("are listed", async () => {
      const own = sessions.map(({ info }) => info).filter((info) => info.projectID === projectID)
      expect(own).toHaveLength(ownCount)
      expect(await opencode.listedTitles()).toEqual(rootTitles(own))
    })

    test("are exported with all that they hold", async () => {
      expect(sessions).toHaveLength(all)
      for (const session of sessions) {
        const exported = await opencode.exportSession(session.info.id)
        expect(exported.messages).toMatchObject(session.messages)
      }
    })

    test("are shown with all that they hold, and with what opencode wants beside it", async () => {
      await using server = await opencode.serve()
      for (const { info, messages } of sessions) {
        const shown = await server.messages(info.id)
        expect(shown).toMatchObject(messages.map(withoutSystem))
        for (const message of shown) expect(message.info).toMatchObject({ agent: expect.any(String) })
      }
    })

    test("are the same as before when they are read out again", async () => {
      const { stdout } = await sessile("verify", fixture.path, opencode.address, "--json")
      expect(JSON.parse(stdout)).toMatchObject({ finished: true, missing: 0, different: 0 })
    })
  })
})

describeWithOpencode(
  "sessions of 0.5.29 whose folder is gone, brought into a new database for 1.18.34",
  () => {
    let fixture: TemporaryFolder
    let opencode: OpencodeSandbox

    beforeAll(async () => {
      opencode = await OpencodeSandbox.create("1.18.34")
      fixture = await copyFixture("v0.5.29")
      await useWorktree(fixture.path, join(fixture.path, "gone"))
      await convert(`json:${fixture.path}`, opencode.address)
      return async () => {
        await fixture[Symbol.asyncDispose]()
        await opencode[Symbol.asyncDispose]()
      }
    })

    test("are not listed in a repository", async () => {
      expect(await opencode.listSessions()).toEqual([])
    })

    test("are listed outside of repositories", async () => {
      await using elsewhere = await temporaryFolder()
      const sessions = await sessionsOf(fixture.path)
      expect(sessions).toHaveLength(9)
      const listed = await opencode.listSessions(elsewhere.path)
      expect(new Map(listed.map(({ id, title }) => [id, title]))).toEqual(
        rootTitles(sessions.map(({ info }) => info)),
      )
    })

    test("are listed where they were at work, once a repository is there again", async () => {
      const worktree = join(fixture.path, "gone")
      await makeWorktree(worktree)
      const sessions = (await sessionsOf(fixture.path)).map(({ info }) => info)
      const own = rootTitles(sessions.filter(({ directory }) => directory === worktree))
      const listed = await opencode.listSessions(worktree)
      expect(own.size).toBe(7)
      expect(new Map(listed.map(({ id, title }) => [id, title]))).toEqual(own)
    })
  },
)

/** A store, and the release that it is brought to; how many of its sessions are of the repository, and of all. */
interface Case {
  readonly name: FixtureName
  readonly version: string
  readonly own?: number
  readonly all?: number
}

// Releases up to 0.5 kept the system prompt in answers, and those of today show no such field.
function withoutSystem({ info: { system, ...info }, parts }: ExportedMessage): ExportedMessage {
  return { info: info as ExportedRecord, parts }
}

async function sessionsOf(folder: string): Promise<ExportedSession[]> {
  if (existsSync(join(folder, "storage"))) return storedSessions(join(folder, "storage"))
  await using storage = await LegacyStorage.open({ path: folder })
  return await sessionsIn(storage)
}

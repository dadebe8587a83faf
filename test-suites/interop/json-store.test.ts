import { cp, readdir } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, fixturePath } from "@sessile/fixtures"
import { JsonStorage, migrate } from "@sessile/storage-json"
import { expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import {
  type ExportedSession,
  exportedSessions,
  exportsFolder,
  recordsOf,
  rootTitles,
} from "./exported-session.js"
import { makeSession } from "./made-session.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import { recordFiles } from "./record-files.js"
import { storedSessions } from "./stored-sessions.js"
import { projectID, useWorktree } from "./worktree.js"

const storageFolder = join(fixturePath("v1.1.65"), "storage")

describeWithOpencode("JsonStorage and opencode 1.1.65", () => {
  test.concurrent("opencode lists and exports in full what JsonStorage wrote", async () => {
    await using fixture = await copyFixture("v1.1.65")
    await using opencode = await OpencodeSandbox.create("1.1.65")
    await using source = await JsonStorage.open({ path: join(fixture.path, "storage") })
    await using target = await JsonStorage.open({ path: opencode.storage })
    for await (const { key, value } of source.scan([])) await target.write(key, value)
    expect(await recordFiles(opencode.storage)).toEqual(await recordFiles(storageFolder))

    const sessions = await exportedSessions()
    expect(sessions).toHaveLength(14)
    expect(await opencode.listedTitles()).toEqual(rootTitles(sessions.map(({ info }) => info)))
    for (const session of sessions) expect(await opencode.exportSession(session.info.id)).toEqual(session)
  })

  test.concurrent("JsonStorage reads what opencode imported, and writing it back changes no byte", async () => {
    await using opencode = await OpencodeSandbox.create("1.1.65")
    for (const name of await readdir(exportsFolder)) await opencode.importSession(join(exportsFolder, name))
    const before = await recordFiles(opencode.storage)

    await using storage = await JsonStorage.open({ path: opencode.storage })
    const expected = (await exportedSessions()).flatMap(recordsOf)
    for (const { key, value } of expected) expect(await storage.read(key)).toEqual(value)
    expect(await storage.read(["project", projectID])).toMatchObject({ worktree: opencode.worktree })

    const keys = await storage.list([])
    // Beside these, the project and the marker of how far the store is migrated.
    expect(keys).toHaveLength(expected.length + 2)
    for (const key of keys) await storage.write(key, await storage.read(key))
    expect(await recordFiles(opencode.storage)).toEqual(before)
  })

  test.concurrent("opencode lists and exports a session that was made without it", async () => {
    await using opencode = await OpencodeSandbox.create("1.1.65")
    await using storage = await JsonStorage.open({ path: opencode.storage })
    const session = makeSession()
    for (const { key, value } of recordsOf(session)) await storage.write(key, value)

    expect(await opencode.listedTitles()).toEqual(rootTitles([session.info]))
    expect(await opencode.exportSession(session.info.id)).toEqual(session)
  })

  test.concurrent("what an open JsonStorage keeps beside the records does not disturb opencode", async () => {
    await using opencode = await OpencodeSandbox.create("1.1.65")
    await cp(storageFolder, opencode.storage, { recursive: true })
    await using storage = await JsonStorage.open({ path: opencode.storage })
    const sessions = (await exportedSessions()).map(retitled)
    for (const { info } of sessions) {
      await storage.update<{ title: unknown }>(["session", projectID, info.id], (draft) => {
        draft.title = info.title
      })
    }
    expect(await readdir(opencode.storage)).toContain(".sessile")

    expect(await opencode.listedTitles()).toEqual(rootTitles(sessions.map(({ info }) => info)))
    await using server = await opencode.serve()
    for (const session of sessions) expect(await server.session(session.info.id)).toEqual(session)
  })
})

describeWithOpencode("migrate and opencode 1.1.65", () => {
  test.concurrent("opencode lists and exports the sessions of a legacy store that migrate brought up", async () => {
    await using opencode = await OpencodeSandbox.create("1.1.65")
    await cp(join(fixturePath("v0.5.29"), "project"), opencode.legacy, { recursive: true })
    await useWorktree(opencode.legacy, opencode.worktree)
    const { projects } = await migrate({ path: opencode.storage })
    expect(projects).toContainEqual({
      folder: "home-dev-code-acme",
      id: projectID,
      worktree: opencode.worktree,
    })

    const stored = await storedSessions(opencode.storage)
    const sessions = stored.filter(({ info }) => info.projectID === projectID)
    expect(sessions).toHaveLength(8)
    expect(await opencode.listedTitles()).toEqual(rootTitles(sessions.map(({ info }) => info)))
    for (const session of sessions) expect(await opencode.exportSession(session.info.id)).toEqual(session)
  })
})

function retitled({ info, messages }: ExportedSession): ExportedSession {
  return { info: { ...info, title: `${info.title} (edited)` }, messages }
}

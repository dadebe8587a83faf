import { describe, expect, it } from "vitest"
import { newSession } from "../model/session.js"
import { MemoryStorage } from "../storage/memory-storage.js"
import { StorageError } from "../storage/storage-error.js"
import type { CreateSessionOptions } from "./create-session.js"
import { Sessions } from "./sessions.js"
import { project, Workbench } from "./testing/workbench.js"

describe("create", () => {
  it("stores a session in the form of the current release, with defaults", async () => {
    const { sessions, storage, now } = new Workbench({ version: "1.2.3" })
    const session = await sessions.create()
    expect(session).toEqual({
      id: expect.stringMatching(/^ses_[0-9a-f]{12}/),
      slug: expect.stringMatching(/^[a-z]+-[a-z]+$/),
      version: "1.2.3",
      projectID: "acme",
      directory: "/home/dev/acme",
      title: `New session - ${new Date(now).toISOString()}`,
      time: { created: now, updated: now },
    })
    expect(await storage.read(["session", "acme", session.id])).toEqual(session)
    expect(newSession(session as Parameters<typeof newSession>[0])).toEqual(session)
  })

  it("gives later sessions smaller ids", async () => {
    const { sessions } = new Workbench()
    const [first, second] = [await sessions.create(), await sessions.create()]
    expect(second.id < first.id).toBe(true)
  })

  it("lets a child inherit the folder and, before its own, the rules of its parent", async () => {
    const { sessions } = new Workbench()
    const deny = { permission: "edit", pattern: "*", action: "deny" } as const
    const allow = { permission: "edit", pattern: "docs/*", action: "allow" } as const
    const parent = await sessions.create({ directory: "/elsewhere", permission: [deny] })
    const child = await sessions.create({ parentID: parent.id, permission: [allow] })
    expect(child).toMatchObject({ parentID: parent.id, directory: "/elsewhere", permission: [deny, allow] })
    expect(child.title).toMatch(/^Child session - /)
    expect(await sessions.permissionRules(child.id)).toEqual([deny, allow])
  })

  it("takes over only what is known of a parent's rules", async () => {
    const { sessions, storage } = new Workbench()
    const parent = await sessions.create()
    const rule = { permission: "edit", pattern: "*", action: "deny" }
    await storage.write(["session", "acme", parent.id], { ...parent, permission: [{ ...rule, note: 1 }] })
    expect((await sessions.create({ parentID: parent.id })).permission).toEqual([rule])
  })

  it.each([
    ["NOT_FOUND", { parentID: "ses_unknown" }],
    ["INVALID_RECORD", { id: "msg_1" }],
    ["INVALID_RECORD", { title: 5 }],
    ["EXISTS", { id: "ses_taken" }],
    ["CYCLE", { id: "ses_self", parentID: "ses_self" }],
    ["INVALID_ARGUMENT", { titel: "x" }],
  ])("refuses with %s, and stores nothing, for %j", async (code, options) => {
    const bench = new Workbench()
    await bench.sessions.create({ id: "ses_taken" })
    const before = await bench.records()
    await expect(bench.sessions.create(options as CreateSessionOptions)).rejects.toMatchObject({ code })
    expect(await bench.records()).toEqual(before)
    expect(bench.told).toEqual(["session.created"])
  })
})

describe("get", () => {
  it("corrects stale ids by the key, and keeps unknown fields", async () => {
    const { sessions, storage } = new Workbench()
    const body = { id: "ses_old", projectID: "old", title: "T", later: [1], time: { created: 1, updated: 1 } }
    await storage.write(["session", "acme", "ses_1"], body)
    expect(await sessions.get("ses_1")).toEqual({ ...body, id: "ses_1", projectID: "acme" })
  })

  it("tells a session that is missing from one that is damaged", async () => {
    const { sessions, storage } = new Workbench()
    await storage.write(["session", "acme", "ses_1"], { title: "no times" })
    await expect(sessions.get("ses_2")).rejects.toMatchObject({ name: "SessionError", code: "NOT_FOUND" })
    await expect(sessions.get("ses_1")).rejects.toMatchObject({ name: "StorageError", code: "CORRUPT" })
  })
})

describe("update", () => {
  it("touches the session, unless told not to", async () => {
    const bench = new Workbench()
    const { id, time } = await bench.sessions.create()
    bench.now += 5
    const renamed = await bench.sessions.update(
      id,
      (draft) => {
        draft.title = "Renamed"
      },
      { touch: false },
    )
    expect(renamed).toMatchObject({ title: "Renamed", time })
    expect((await bench.sessions.touch(id)).time).toEqual({ created: time.created, updated: bench.now })
    expect(bench.told).toEqual(["session.created", "session.updated", "session.updated"])
  })

  it("keeps unknown fields and their order", async () => {
    const { sessions, storage } = new Workbench()
    const time = { created: 1, updated: 1 }
    const body = { later: { x: 1 }, version: "1", title: "T", id: "ses_1", time, projectID: "acme" }
    await storage.write(["session", "acme", "ses_1"], body)
    const updated = await sessions.update("ses_1", () => undefined, { touch: false })
    expect(JSON.stringify(updated)).toBe(JSON.stringify(body))
  })

  it.each([
    ["IMMUTABLE", { id: "ses_other" }],
    ["IMMUTABLE", { projectID: "other" }],
    ["INVALID_RECORD", { title: 1 }],
    ["NOT_FOUND", { parentID: "ses_unknown" }],
  ])("refuses with %s, and changes nothing, an edit to %j", async (code, fields) => {
    const bench = new Workbench()
    const { id } = await bench.sessions.create()
    const before = await bench.records()
    const edit = (draft: object) => Object.assign(draft, fields)
    await expect(bench.sessions.update(id, edit)).rejects.toMatchObject({ code })
    expect(await bench.records()).toEqual(before)
    expect(bench.told).toEqual(["session.created"])
  })

  it("refuses an asynchronous edit", async () => {
    const { sessions } = new Workbench()
    const { id } = await sessions.create()
    await expect(sessions.update(id, async () => undefined)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    })
  })

  it("lets through what an edit throws, and takes it for nothing else", async () => {
    const { sessions } = new Workbench()
    const { id } = await sessions.create()
    const error = new StorageError("NOT_FOUND", "Something else")
    const update = sessions.update(id, () => {
      throw error
    })
    await expect(update).rejects.toBe(error)
  })

  it("accepts a new parent, but none that descends from the session", async () => {
    const { sessions } = new Workbench()
    const [a, b] = [await sessions.create(), await sessions.create()]
    const c = await sessions.create({ parentID: b.id })
    const moveUnder = (parentID: string | undefined) => (draft: { parentID?: string | undefined }) => {
      draft.parentID = parentID
    }
    expect((await sessions.update(b.id, moveUnder(a.id))).parentID).toBe(a.id)
    await expect(sessions.update(a.id, moveUnder(c.id))).rejects.toMatchObject({ code: "CYCLE" })
    await expect(sessions.update(a.id, moveUnder(a.id))).rejects.toMatchObject({ code: "CYCLE" })
    expect((await sessions.update(b.id, moveUnder(undefined))).parentID).toBeUndefined()
  })

  it("loses none of many updates at once", async () => {
    const { sessions } = new Workbench()
    const { id } = await sessions.create({ title: "" })
    const append = (letter: string) => (draft: { title: string }) => {
      draft.title += letter
    }
    await Promise.all([..."abcdefgh"].map((letter) => sessions.update(id, append(letter))))
    expect((await sessions.get(id)).title).toBe("abcdefgh")
  })
})

describe("touch", () => {
  it("needs no more of a session than its times and title", async () => {
    const { sessions, storage, now } = new Workbench()
    await storage.write(["session", "acme", "ses_1"], { title: "T", time: { created: 1, updated: 1 } })
    expect((await sessions.touch("ses_1")).time.updated).toBe(now)
  })
})

describe("archive", () => {
  it("notes the time, and unarchive takes it away", async () => {
    const { sessions, now } = new Workbench()
    const { id } = await sessions.create()
    expect((await sessions.archive(id)).time.archived).toBe(now)
    expect((await sessions.unarchive(id)).time).not.toHaveProperty("archived")
  })
})

describe("todos", () => {
  it("are none until they are set, and are told when they are", async () => {
    const bench = new Workbench()
    const { id } = await bench.sessions.create()
    const todos = [{ id: "1", content: "Test", status: "pending", priority: "high" }]
    expect(await bench.sessions.todos(id)).toEqual([])
    await bench.sessions.setTodos(id, todos)
    expect(await bench.sessions.todos(id)).toEqual(todos)
    expect(bench.events.at(-1)).toEqual({ type: "todo.updated", properties: { sessionID: id, todos } })
  })

  it("are refused for unknown sessions, and when they are none", async () => {
    const { sessions } = new Workbench()
    const { id } = await sessions.create()
    await expect(sessions.todos("ses_unknown")).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(sessions.setTodos("ses_unknown", [])).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(sessions.setTodos(id, [{ content: 1 }] as never)).rejects.toMatchObject({
      code: "INVALID_RECORD",
    })
  })
})

describe("setPermissionRules", () => {
  it("replaces the rules of a session", async () => {
    const { sessions } = new Workbench()
    const { id } = await sessions.create()
    const rules = [{ permission: "bash", pattern: "*", action: "ask" as const }]
    expect((await sessions.setPermissionRules(id, rules)).permission).toEqual(rules)
    const wrong = [{ permission: "bash", pattern: "*", action: "maybe" }] as never
    await expect(sessions.setPermissionRules(id, wrong)).rejects.toMatchObject({ code: "INVALID_RECORD" })
  })
})

describe("planPath", () => {
  const session = { id: "ses_1", slug: "calm-wolf", title: "", version: "", time: { created: 7, updated: 7 } }

  it("lies in the worktree of a repository, else in the folder for plans", () => {
    expect(new Workbench().sessions.planPath(session)).toBe("/home/dev/acme/.opencode/plans/7-calm-wolf.md")
    const home = { id: "global", worktree: "/" }
    const outside = new Workbench({ project: home, plansFolder: "/data/plans" })
    expect(outside.sessions.planPath(session)).toBe("/data/plans/7-calm-wolf.md")
    expect(() => new Workbench({ project: home }).sessions.planPath(session)).toThrow(/plansFolder/)
  })

  it("never leads out of that folder", () => {
    const { sessions } = new Workbench()
    const plans = "/home/dev/acme/.opencode/plans"
    expect(sessions.planPath({ ...session, slug: "../../x" })).toBe(`${plans}/7-ses_1.md`)
    expect(sessions.planPath({ ...session, slug: undefined, id: "ses_../x" })).toBe(`${plans}/7-ses____x.md`)
  })
})

describe("Sessions", () => {
  it("names a misspelt option", () => {
    const options = { storage: new MemoryStorage(), project, directroy: "/" }
    expect(() => new Sessions(options)).toThrow('did you mean "directory"?')
  })

  it("needs neither bus nor clock", async () => {
    await using sessions = new Sessions({ storage: new MemoryStorage(), project })
    const { id, time } = await sessions.create()
    expect(Math.abs(time.created - Date.now())).toBeLessThan(60_000)
    expect(await sessions.get(id)).toMatchObject({ id })
  })
})

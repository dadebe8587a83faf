import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { MemoryStorage } from "../storage/memory-storage.js"
import type { Operation, Storage } from "../storage/storage.js"
import { adoptSessions } from "./adopt-sessions.js"
import { emptyRepository } from "./testing/repository.js"

const windows = { id: "abc", worktree: "C:\\code\\acme", root: "C:\\code\\acme", vcs: "git" } as const
let folder = ""
let storage: MemoryStorage

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "sessile-adopt-")))
  storage = new MemoryStorage()
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe("adoptSessions", () => {
  it("moves the sessions held in the worktree or below, and changes nothing but their project", async () => {
    const session = { title: "T", projectID: "global", directory: folder, extra: { b: 1, a: null }, time: {} }
    await storage.write(["session", "global", "ses_1"], session)
    await storage.write(["session", "global", "ses_2"], { directory: join(folder, "gone") })
    await storage.write(["message", "ses_1", "msg_1"], { role: "user" })

    expect(await adoptSessions(storage, project())).toEqual(["ses_1", "ses_2"])
    const moved = await storage.read(["session", "abc", "ses_1"])
    expect(JSON.stringify(moved)).toBe(JSON.stringify({ ...session, projectID: "abc" }))
    expect(await storage.list([])).toEqual([
      ["message", "ses_1", "msg_1"],
      ["session", "abc", "ses_1"],
      ["session", "abc", "ses_2"],
    ])
  })

  it("leaves all other sessions where they are", async () => {
    await emptyRepository(join(folder, "nested"))
    await mkdir(join(folder, "nested", "sub"))
    const others = [
      { directory: `${folder}-other` },
      { directory: "/" },
      { directory: join(folder, "nested") },
      { directory: join(folder, "nested", "sub") },
      { directory: 7 },
      {},
      null,
    ]
    for (const [number, session] of others.entries()) {
      await storage.write(["session", "global", `ses_${number}`], session)
    }
    await storage.write(["session", "global"], { directory: folder })
    await storage.write(["session", "global", "ses_0", "deeper"], { directory: folder })
    await storage.write(["session", "other", "ses_x"], { directory: folder })
    const before = await storage.list([])
    expect(await adoptSessions(storage, project())).toEqual([])
    expect(await storage.list([])).toEqual(before)
  })

  it("sees through symbolic links", async () => {
    await mkdir(join(folder, "main", "sub"), { recursive: true })
    await symlink(join(folder, "main"), join(folder, "link"))
    await storage.write(["session", "global", "ses_1"], { directory: join(folder, "link", "sub") })
    expect(await adoptSessions(storage, project(join(folder, "main")))).toEqual(["ses_1"])
  })

  it("takes the sessions of a linked worktree too", async () => {
    await storage.write(["session", "global", "ses_1"], { directory: "/linked/sub" })
    await storage.write(["session", "global", "ses_2"], { directory: "/main" })
    const linked = { id: "abc", worktree: "/main", root: "/linked", vcs: "git" } as const
    expect(await adoptSessions(storage, linked)).toEqual(["ses_1", "ses_2"])
  })

  it("takes both kinds of slash in Windows paths", async () => {
    await storage.write(["session", "global", "ses_1"], { directory: "C:/code/acme/sub" })
    await storage.write(["session", "global", "ses_2"], { directory: "c:\\code\\acme" })
    await storage.write(["session", "global", "ses_3"], { directory: "C:\\code\\acme2" })
    expect(await adoptSessions(storage, windows)).toEqual(["ses_1", "ses_2"])
  })

  it("leaves every session findable wherever a batch breaks off, and finishes the next time", async () => {
    for (let done = 0; done < 4; done++) {
      const store = new MemoryStorage()
      for (const id of ["ses_1", "ses_2"])
        await store.write(["session", "global", id], { id, directory: folder })
      await expect(adoptSessions(breakingOff(store, done), project())).rejects.toThrow("broken off")
      const ids = (await store.list(["session"])).map((key) => key[2])
      expect(new Set(ids)).toEqual(new Set(["ses_1", "ses_2"]))

      await adoptSessions(store, project())
      expect(await store.list(["session"])).toEqual([
        ["session", "abc", "ses_1"],
        ["session", "abc", "ses_2"],
      ])
    }
  })

  it("keeps the newer of two copies that a broken batch left", async () => {
    const copy = (title: string, updated: number) => ({ title, directory: folder, time: { updated } })
    await storage.write(["session", "global", "ses_1"], copy("old", 1))
    await storage.write(["session", "abc", "ses_1"], copy("continued", 2))
    await storage.write(["session", "global", "ses_2"], copy("continued", 2))
    await storage.write(["session", "abc", "ses_2"], copy("old", 1))
    await adoptSessions(storage, project())
    expect(await storage.read(["session", "abc", "ses_1"])).toMatchObject({ title: "continued" })
    expect(await storage.read(["session", "abc", "ses_2"])).toMatchObject({ title: "continued" })
    expect(await storage.list(["session", "global"])).toEqual([])
  })

  it("writes nothing when there is nothing to adopt", async () => {
    await adoptSessions(breakingOff(storage, 0), project())
    expect(await storage.list([])).toEqual([])
  })
})

function project(worktree = folder) {
  return { id: "abc", worktree, root: worktree, vcs: "git" } as const
}

/** A store whose batches fail after some operations, as one without `atomicBatch` may. */
function breakingOff(store: MemoryStorage, after: number): Storage {
  const batch = async (operations: readonly Operation[]) => {
    await store.batch(operations.slice(0, after))
    throw new Error("broken off")
  }
  return new Proxy(store, {
    get(target, name) {
      if (name === "batch") return batch
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === "function" ? member.bind(target) : member
    },
  })
}

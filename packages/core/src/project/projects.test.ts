import { mkdtemp, readdir, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { newProject } from "../model/index.js"
import { MemoryStorage } from "../storage/memory-storage.js"
import { Projects } from "./projects.js"
import { commit, emptyRepository, git, repository } from "./testing/repository.js"

// Every step starts several processes.
vi.setConfig({ testTimeout: 60_000 })

let folder = ""
let storage: MemoryStorage
let now = 0

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "sessile-projects-")))
  storage = new MemoryStorage()
  now = 1000
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe("resolve", () => {
  it("stores a new project in the form of the current release", async () => {
    const id = await repository(folder)
    const project = await projects().resolve(folder)
    const expected = {
      id,
      worktree: folder,
      vcs: "git",
      sandboxes: [],
      time: { created: 1000, updated: 1000 },
    }
    expect(project).toEqual(expected)
    expect(newProject({ ...expected, vcs: "git" })).toEqual(expected)
    expect(await storage.read(["project", id])).toEqual(expected)
  })

  it("updates what is known, and keeps the rest in its place", async () => {
    const id = await repository(folder)
    const time = { created: 1, initialized: 2 }
    await storage.write(["project", id], { later: [1], id: "stale", time, worktree: "/old", name: "Acme" })
    const project = await projects().resolve(folder)
    expect(JSON.stringify(project)).toBe(
      JSON.stringify({
        later: [1],
        id,
        time: { ...time, updated: 1000 },
        worktree: folder,
        name: "Acme",
        vcs: "git",
        sandboxes: [],
      }),
    )
    expect(await storage.read(["project", id])).toEqual(project)
  })

  it("is one project for all worktrees, of which the linked ones become sandboxes until they are gone", async () => {
    const [main, first, second] = [join(folder, "main"), join(folder, "first"), join(folder, "second")]
    await repository(main)
    await git(main, "worktree", "add", first, "--detach")
    await git(main, "worktree", "add", second, "--detach")
    const all = projects()
    await Promise.all([first, second, first, main].map((path) => all.resolve(path)))
    const [project, ...others] = await all.list()
    expect(others).toEqual([])
    expect(project?.worktree).toBe(main)
    expect(project?.sandboxes?.toSorted()).toEqual([first, second])

    await git(main, "worktree", "remove", second)
    expect((await all.resolve(main)).sandboxes).toEqual([first])
  })

  it("gives folders without a repository or a commit the project global, with / as worktree", async () => {
    const expected = { id: "global", worktree: "/", sandboxes: [], time: { created: 1000, updated: 1000 } }
    expect(await projects().resolve(folder)).toEqual(expected)
    await emptyRepository(folder)
    now = 2000
    expect(await projects().resolve(folder)).toEqual({ ...expected, time: { created: 1000, updated: 2000 } })
  })

  it("writes nothing into the repository unless asked to remember", async () => {
    const id = await repository(folder)
    const before = await readdir(join(folder, ".git"))
    await projects().resolve(folder)
    expect(await readdir(join(folder, ".git"))).toEqual(before)
    await new Projects({ storage, remember: true }).resolve(folder)
    // A new root commit that sorts first would otherwise change the id.
    for (let number = 0; (await roots())[0] === id; number++) {
      await git(folder, "checkout", "--orphan", `orphan-${number}`)
      await commit(folder, `orphan ${number}`)
    }
    expect((await projects().resolve(folder)).id).toBe(id)
  })

  it("takes the sessions along that were held in a folder before it became a repository", async () => {
    const session = { id: "ses_1", projectID: "global", directory: folder, time: { created: 1, updated: 1 } }
    await storage.write(["session", "global", "ses_1"], session)
    await projects().resolve(folder)
    expect(await storage.list(["session"])).toEqual([["session", "global", "ses_1"]])
    const id = await repository(folder)
    await projects().resolve(folder)
    expect(await storage.list(["session"])).toEqual([["session", id, "ses_1"]])
  })

  it("changes nothing where the stored project is none", async () => {
    const id = await repository(folder)
    await storage.write(["project", id], { id })
    await expect(projects().resolve(folder)).rejects.toMatchObject({ code: "CORRUPT" })
    expect(await storage.read(["project", id])).toEqual({ id })
  })

  async function roots(): Promise<string[]> {
    return (await git(folder, "rev-list", "--max-parents=0", "--all")).split("\n").sort()
  }
})

describe("get", () => {
  it("gives a project with the id of its key", async () => {
    await storage.write(["project", "a"], { worktree: "/a", time: { created: 1 } })
    expect(await projects().get("a")).toEqual({ id: "a", worktree: "/a", time: { created: 1 } })
  })

  it("rejects for a project that is not there, and for what is none", async () => {
    await storage.write(["project", "a"], null)
    await expect(projects().get("a")).rejects.toMatchObject({ code: "CORRUPT", key: ["project", "a"] })
    await expect(projects().get("b")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("list and findByName", () => {
  it("tell what is damaged, and go on", async () => {
    await storage.write(["project", "a"], "text")
    await storage.write(["project", "b"], { id: "b", worktree: "/src/acme", time: { created: 1 } })
    const damaged: unknown[] = []
    const options = { onCorrupt: (error: Error) => damaged.push(error) }
    expect((await projects().list(options)).map(({ id }) => id)).toEqual(["b"])
    expect((await projects().findByName("ACME", options)).map(({ id }) => id)).toEqual(["b"])
    expect(damaged).toMatchObject([{ key: ["project", "a"] }, { key: ["project", "a"] }])
    await expect(projects().list()).rejects.toMatchObject({ code: "CORRUPT" })
    await expect(projects().findByName("acme")).rejects.toMatchObject({ code: "CORRUPT" })
  })
})

describe("markInitialized", () => {
  it("notes the time", async () => {
    await storage.write(["project", "a"], { id: "a", worktree: "/a", time: { created: 1 } })
    const project = await projects().markInitialized("a")
    expect(project.time).toEqual({ created: 1, updated: 1000, initialized: 1000 })
    expect(await projects().get("a")).toEqual(project)
  })
})

it("misspelt options are refused", () => {
  const options = { storage, clok: () => 0 }
  expect(() => new Projects(options)).toThrow('did you mean "clock"?')
})

function projects(): Projects {
  return new Projects({ storage, clock: () => now })
}

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { identifyProject } from "./project-id.js"
import { commit, git, repository } from "./testing/repository.js"

// Every step starts several processes.
vi.setConfig({ testTimeout: 60_000 })

let folder = ""

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "sessile-project-")))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

describe("identifyProject", () => {
  it("gives the root commit", async () => {
    const root = await repository(folder)
    await commit(folder, "second")
    expect(await identifyProject(folder)).toEqual({ id: root })
  })

  it("gives the alphabetically first of several root commits, whatever is checked out", async () => {
    const roots = [await repository(folder)]
    for (const branch of ["other", "third", "fourth"]) {
      await git(folder, "checkout", "--orphan", branch)
      roots.push(await commit(folder, branch))
    }
    expect(new Set(roots).size).toBe(4)
    for (const branch of ["first", "fourth"]) {
      await git(folder, "checkout", branch)
      expect(await identifyProject(folder)).toEqual({ id: roots.toSorted()[0] })
    }
  })

  it("prefers the id that opencode noted in the repository, without the white space around it", async () => {
    await repository(folder)
    await writeFile(join(folder, ".git", "opencode"), "a08918a10ff26f65d55fc0bead5534907d8df481\n")
    expect(await identifyProject(folder)).toEqual({ id: "a08918a10ff26f65d55fc0bead5534907d8df481" })
  })

  it("needs nothing but the note", async () => {
    await mkdir(join(folder, ".git"))
    await writeFile(join(folder, ".git", "opencode"), "noted")
    expect(await identifyProject(folder)).toEqual({ id: "noted" })
  })

  it("does not take an empty note for an id", async () => {
    const root = await repository(folder)
    await writeFile(join(folder, ".git", "opencode"), " \n")
    expect(await identifyProject(folder)).toEqual({ id: root })
  })

  it("gives a linked worktree the root commit of its repository", async () => {
    const main = join(folder, "main")
    const root = await repository(main)
    await git(main, "worktree", "add", join(folder, "linked"))
    expect(await identifyProject(join(folder, "linked"))).toEqual({ id: root })
  })

  it("does not know a repository without a commit", async () => {
    await git(folder, "init")
    expect(await identifyProject(folder)).toEqual({ unknown: "the repository has no commit" })
  })

  it("does not know a folder without a repository", async () => {
    expect(await identifyProject(folder)).toEqual({
      unknown: expect.stringContaining("not a git repository"),
    })
  })

  it("does not know a folder that does not exist, nor a file", async () => {
    await writeFile(join(folder, "file"), "")
    const unknown = { unknown: "the folder does not exist" }
    expect(await identifyProject(join(folder, "missing"))).toEqual(unknown)
    expect(await identifyProject(join(folder, "file"))).toEqual(unknown)
    expect(await identifyProject(join(folder, "file", "below"))).toEqual(unknown)
  })

  it.each([
    ["GIT_DIR", ".git"],
    ["GIT_WORK_TREE", ""],
    ["GIT_COMMON_DIR", ".git"],
    ["GIT_OBJECT_DIRECTORY", join(".git", "objects")],
  ])("is not misled by %s in the environment, as git hooks have it", async (name, path) => {
    const [here, elsewhere] = [join(folder, "here"), join(folder, "elsewhere")]
    const root = await repository(here)
    expect(await repository(elsewhere, "elsewhere")).not.toBe(root)
    vi.stubEnv(name, join(elsewhere, path))
    expect(await identifyProject(here)).toEqual({ id: root })
  })

  it("throws when git cannot be started", async () => {
    vi.stubEnv("PATH", folder)
    const failure = { message: expect.stringContaining("is git installed?"), cause: { code: "ENOENT" } }
    await expect(identifyProject(folder)).rejects.toMatchObject(failure)
  })
})

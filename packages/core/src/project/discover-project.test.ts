import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { discoverProject } from "./discover-project.js"
import { commit, emptyRepository, git, repository } from "./testing/repository.js"

// Every step starts several processes.
vi.setConfig({ testTimeout: 60_000 })

const global = { id: "global", worktree: "/", root: "/" }
let folder = ""

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "sessile-project-")))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe("discoverProject", () => {
  it("finds the repository around a folder inside it, also through a symbolic link", async () => {
    const main = join(folder, "main")
    const id = await repository(main)
    await mkdir(join(main, "a", "b"), { recursive: true })
    await symlink(join(main, "a", "b"), join(folder, "link"))
    const found = { id, worktree: main, root: main, vcs: "git" }
    expect(await discoverProject(join(main, "a", "b"))).toEqual(found)
    expect(await discoverProject(join(folder, "link"))).toEqual(found)
  })

  it("finds a repository whose path has spaces, a newline and other scripts in it", async () => {
    const main = join(folder, "my\ncafé 項目")
    const id = await repository(main)
    await mkdir(join(main, "sub"))
    expect(await discoverProject(join(main, "sub"))).toEqual({ id, worktree: main, root: main, vcs: "git" })
  })

  it("gives a linked worktree the id and the main worktree of its repository", async () => {
    const [main, linked] = [join(folder, "main"), join(folder, "linked")]
    const id = await repository(main)
    await git(main, "worktree", "add", linked)
    await mkdir(join(linked, "sub"))
    const found = { id, worktree: main, root: linked, vcs: "git" }
    expect(await discoverProject(join(linked, "sub"))).toEqual(found)
    await writeFile(join(main, ".git", "opencode"), "noted")
    expect(await discoverProject(linked)).toEqual({ ...found, id: "noted" })
  })

  it("takes a submodule for a repository of its own, and so a worktree that is linked to it", async () => {
    const [library, main, linked] = [join(folder, "library"), join(folder, "main"), join(folder, "linked")]
    const id = await repository(library, "library")
    expect(await repository(main)).not.toBe(id)
    await git(main, "submodule", "add", library, "sub")
    const found = { id, worktree: join(main, "sub"), root: join(main, "sub"), vcs: "git" }
    expect(await discoverProject(join(main, "sub"))).toEqual(found)
    await git(join(main, "sub"), "worktree", "add", linked)
    expect(await discoverProject(linked)).toEqual({ ...found, root: linked })
  })

  it("takes a bare repository for its own worktree, and for the main one of those linked to it", async () => {
    const [main, bare, linked] = [join(folder, "main"), join(folder, "main.git"), join(folder, "linked")]
    const id = await repository(main)
    await git(folder, "clone", "--bare", main, bare)
    await git(bare, "worktree", "add", linked)
    expect(await discoverProject(bare)).toEqual({ id, worktree: bare, root: bare, vcs: "git" })
    expect(await discoverProject(linked)).toEqual({ id, worktree: bare, root: linked, vcs: "git" })
  })

  it("takes .git itself for a part of its worktree", async () => {
    const id = await repository(folder)
    const found = { id, worktree: folder, root: folder, vcs: "git" }
    expect(await discoverProject(join(folder, ".git", "objects"))).toEqual(found)
  })

  it("finds a repository whose git folder lies elsewhere", async () => {
    const main = join(folder, "main")
    await mkdir(main)
    await git(main, "init", `--separate-git-dir=${join(folder, "elsewhere")}`)
    const id = await commit(main, "first")
    expect(await discoverProject(main)).toEqual({ id, worktree: main, root: main, vcs: "git" })
  })

  it("is global without a repository, without a commit, and for a folder that does not exist", async () => {
    expect(await discoverProject(folder)).toEqual(global)
    expect(await discoverProject(join(folder, "missing"))).toEqual(global)
    await emptyRepository(folder)
    expect(await discoverProject(folder, { remember: true })).toEqual(global)
    expect(await readdir(join(folder, ".git"))).not.toContain("opencode")
  })

  it("passes for git where that is faked", async () => {
    expect(await discoverProject(folder, { fakeVcs: "git" })).toEqual({ ...global, vcs: "git" })
  })

  it("throws what git says of a repository that it cannot read", async () => {
    await repository(folder)
    await writeFile(join(folder, ".git", "config"), "[core\n")
    await expect(discoverProject(folder)).rejects.toMatchObject({
      name: "GitError",
      exitCode: 128,
      message: expect.stringContaining("bad config"),
    })
  })

  it("notes the id only when asked, in the repository that all worktrees share, and leaves a note alone", async () => {
    const [main, linked] = [join(folder, "main"), join(folder, "linked")]
    const id = await repository(main)
    await git(main, "worktree", "add", linked)
    const before = await readdir(join(main, ".git"))
    await discoverProject(linked)
    expect(await readdir(join(main, ".git"))).toEqual(before)

    await discoverProject(linked, { remember: true })
    expect(await readdir(join(main, ".git"))).toEqual([...before, "opencode"].sort())
    expect(await readFile(join(main, ".git", "opencode"), "utf8")).toBe(id)
    await writeFile(join(main, ".git", "opencode"), "noted\n")
    await discoverProject(main, { remember: true })
    expect(await readFile(join(main, ".git", "opencode"), "utf8")).toBe("noted\n")
  })
})

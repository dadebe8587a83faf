import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { listedProjects } from "./listed-projects.js"
import { emptyRepository, git, repository } from "./testing/repository.js"

// Every step starts several processes.
vi.setConfig({ testTimeout: 60_000 })

// What opencode 1.18.34 wrote to .git/opencode for these remotes.
const ofRemote = "66fc3264a9073b4f5b57cc533d41bb3d3569073a"

let folder = ""

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "sessile-listed-")))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe("listedProjects", () => {
  it("gives global outside of repositories, and where nothing is", async () => {
    expect(await listedProjects(folder)).toEqual({ ids: ["global"], hasRemote: false })
    expect(await listedProjects(join(folder, "gone"))).toEqual({ ids: ["global"], hasRemote: false })
  })

  it("gives the first root commit, in the worktree and below it", async () => {
    const id = await repository(folder)
    await mkdir(join(folder, "sub"))
    const note = join(folder, ".git", "opencode")
    const expected = { ids: [id], root: folder, note, hasRemote: false }
    expect(await listedProjects(folder)).toEqual(expected)
    expect(await listedProjects(join(folder, "sub"))).toEqual(expected)
  })

  it("gives global for a repository without a commit", async () => {
    await emptyRepository(folder)
    expect(await listedProjects(folder)).toMatchObject({ ids: ["global"], root: folder })
  })

  it("gives the noted id instead of the root commit, also without a commit", async () => {
    await emptyRepository(folder)
    await writeFile(join(folder, ".git", "opencode"), "abc\n")
    expect((await listedProjects(folder)).ids).toEqual(["abc"])
  })

  it("gives the noted id beside that of the remote, to which opencode moves its sessions", async () => {
    await repository(folder)
    await git(folder, "remote", "add", "origin", "git@github.com:acme/acme.git")
    expect(await listedProjects(folder)).toMatchObject({ ids: [ofRemote], hasRemote: true })
    await writeFile(join(folder, ".git", "opencode"), "abc")
    expect((await listedProjects(folder)).ids).toEqual([ofRemote, "abc"])
  })

  it.each([
    ["https://github.com/acme/acme", ofRemote],
    ["https://user:word@GitHub.com:8443/acme/acme.git/", ofRemote],
    ["git://github.com/acme/acme.git", ofRemote],
    ["https://github.com/acme/acme?x=1", ofRemote],
    ["ssh://git@GitHub.com:22/Acme/acme.git", "c68bff63188f895ef101243c6d23c6796897d011"],
    ["ssh://git@github.com/~/acme.git", "6f5290fd64ad20a24ec46445fd1465eb5773ba19"],
    ["git@host:/srv/acme.git", "fb641dd229d156d53404a9178231fb855b06b197"],
  ])("names the project of the remote %s as opencode does", async (url, expected) => {
    await repository(folder)
    await git(folder, "remote", "add", "origin", url)
    expect((await listedProjects(folder)).ids).toEqual([expected])
  })

  it.each([
    "/srv/git/acme.git",
    "file:///srv/git/acme.git",
    "../other",
    "host:/srv/acme.git",
    "C:\\code",
    "github.com/acme/acme",
  ])("does not take %s for a remote", async (url) => {
    const id = await repository(folder)
    await git(folder, "remote", "add", "origin", url)
    expect(await listedProjects(folder)).toMatchObject({ ids: [id], hasRemote: false })
  })
})

import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { commit, git, repository } from "../project/testing/repository.js"
import { GitSnapshots } from "./git-snapshots.js"
import { Worktree } from "./testing/worktree.js"

// Every step starts several processes.
vi.setConfig({ testTimeout: 60_000 })

let worktree: Worktree

beforeEach(async () => {
  worktree = await Worktree.create()
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await worktree[Symbol.asyncDispose]()
})

describe("the user's repository", () => {
  it("stays as it was, to the byte, whatever is staged, stashed, in conflict or configured", async () => {
    await busyRepository()
    const before = await repositoryBytes()
    const status = await statusAlone()
    const snapshots = await worktree.open()
    const hash = await snapshots.track()
    await worktree.write("tracked", "by the agent\n")
    await worktree.write("untracked", "by the agent\n")
    const patch = await snapshots.patch(hash)
    await snapshots.diffFull(hash)
    await snapshots.revert([patch])
    await worktree.write("tracked", "again\n")
    await snapshots.restore(hash)
    expect(await repositoryBytes()).toEqual(before)
    expect(await statusAlone()).toBe(status)
  })

  it("is not entered through the variables that git sets for its hooks", async () => {
    await busyRepository()
    const before = await repositoryBytes()
    vi.stubEnv("GIT_DIR", join(worktree.path, ".git"))
    vi.stubEnv("GIT_INDEX_FILE", join(worktree.path, ".git", "index"))
    vi.stubEnv("GIT_OBJECT_DIRECTORY", join(worktree.path, ".git", "objects"))
    vi.stubEnv("GIT_CONFIG_PARAMETERS", "'core.bare'='true'")
    const snapshots = await worktree.open()
    await snapshots.restore(await snapshots.track())
    expect(await repositoryBytes()).toEqual(before)
  })

  it("runs no hook and no filter", async () => {
    const ran = join(worktree.folder, "..", "ran")
    const program = join(worktree.folder, "..", "program")
    await writeFile(program, `#!/bin/sh\ntouch '${ran}'\ncat\n`)
    await chmod(program, 0o755)
    const hooks = ["post-index-change", "post-checkout", "pre-commit", "fsmonitor-watchman"]
    for (const hook of hooks) await worktree.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch '${ran}'\n`, 0o755)
    const settings = join(worktree.folder, "..", "settings")
    await writeFile(
      settings,
      `[core]\nhooksPath = ${join(worktree.path, ".git", "hooks")}\nfsmonitor = ${program}\n` +
        `[filter "run"]\nclean = ${program}\nsmudge = ${program}\nrequired = true\n[diff "run"]\ntextconv = ${program}\ncommand = ${program}\n`,
    )
    vi.stubEnv("GIT_CONFIG_GLOBAL", settings)
    await worktree.write(".gitattributes", "* filter=run diff=run\n")
    const snapshots = await worktree.open()
    const hash = await snapshots.track()
    await worktree.write("a", "1\n")
    await snapshots.diff(hash)
    await snapshots.restore(hash)
    expect(await readdir(dirname(ran))).not.toContain("ran")
  })

  it("may be a linked worktree or a submodule", async () => {
    const [linked, library] = [join(worktree.folder, "..", "linked"), join(worktree.folder, "..", "library")]
    await commit(worktree.path, "first")
    await git(worktree.path, "worktree", "add", linked)
    await repository(library)
    await git(worktree.path, "submodule", "add", library, "sub")
    for (const path of [linked, join(worktree.path, "sub")]) {
      const snapshots = await GitSnapshots.open({ worktree: path, folder: join(worktree.folder, "x") })
      const hash = await snapshots.track()
      await writeFile(join(path, "new"), "1\n")
      expect(await snapshots.patch(hash)).toEqual({ hash, files: [join(path, "new")] })
    }
  })
})

describe("opening", () => {
  it("needs the top of a git worktree", async () => {
    await mkdir(join(worktree.path, "sub"))
    const bare = join(worktree.folder, "..", "bare")
    await git(worktree.path, "init", "--bare", bare)
    for (const path of [
      join(worktree.path, "sub"),
      join(worktree.path, ".git"),
      bare,
      dirname(worktree.path),
    ]) {
      const opening = GitSnapshots.open({ worktree: path, folder: worktree.folder })
      await expect(opening).rejects.toMatchObject({ name: "SnapshotError", code: "NO_REPOSITORY" })
    }
    expect(await readdir(join(worktree.path, ".."))).not.toContain("snapshots")
  })

  it("refuses a folder inside the worktree, and one that holds another repository", async () => {
    const bare = join(worktree.folder, "..", "bare")
    await git(worktree.path, "init", "--bare", bare)
    const settings = await readFile(join(bare, "config"), "utf8")
    for (const folder of [
      worktree.path,
      join(worktree.path, "snapshots"),
      join(worktree.path, ".git"),
      bare,
    ]) {
      const opening = GitSnapshots.open({ worktree: worktree.path, folder })
      await expect(opening).rejects.toMatchObject({ code: "INVALID_FOLDER" })
    }
    expect(await readFile(join(bare, "config"), "utf8")).toBe(settings)
  })

  it("refuses misspelt options", async () => {
    const options = { worktree: worktree.path, folder: worktree.folder, folders: "x" }
    await expect(GitSnapshots.open(options)).rejects.toThrow('did you mean "folder"?')
  })

  it("keeps the folder to its owner", async () => {
    await worktree.open()
    expect((await stat(worktree.folder)).mode & 0o777).toBe(0o700)
  })

  it("sweeps up after processes that were killed long ago, and is not held up by their locks", async () => {
    const hash = await (await worktree.open()).track()
    const [old, recent] = [join(worktree.folder, "index-old.lock"), join(worktree.folder, "index-recent")]
    for (const path of [old, recent, join(worktree.folder, "index.lock")]) await writeFile(path, "")
    await utimes(old, 0, 0)
    const snapshots = await worktree.open()
    expect(await snapshots.track()).toBe(hash)
    const names = await readdir(worktree.folder)
    expect(names).toContain("index-recent")
    expect(names).not.toContain("index-old.lock")
  })

  it("throws when git cannot be started", async () => {
    vi.stubEnv("PATH", worktree.path)
    await expect(worktree.open()).rejects.toThrow("is git installed?")
  })
})

/** Something of everything that an agent must not disturb. */
async function busyRepository(): Promise<void> {
  const user = (...args: string[]) => git(worktree.path, ...args)
  for (const file of ["tracked", "staged", "stashed", "conflict"]) await worktree.write(file, "1\n")
  await user("add", ".")
  await commit(worktree.path, "first")
  await worktree.write("stashed", "2\n")
  await user("stash")
  await user("checkout", "-b", "other")
  await worktree.write("conflict", "2\n")
  await user("commit", "--all", "--message", "other")
  await user("checkout", "first")
  await worktree.write("conflict", "3\n")
  await user("commit", "--all", "--message", "ours")
  await user("merge", "other").catch(() => undefined)
  await worktree.write("staged", "2\n")
  await user("add", "staged")
  await worktree.write("staged", "3\n")
  await worktree.write("tracked", "2\n")
  await worktree.write("untracked", "1\n")
  expect(await readdir(join(worktree.path, ".git"))).toContain("MERGE_HEAD")
  expect(await statusAlone()).toContain("u UU")
}

/** Git's status of the user's repository, asked without touching the index. */
function statusAlone(): Promise<string> {
  return git(worktree.path, "--no-optional-locks", "status", "--porcelain=v2", "--branch", "--show-stash")
}

/** Everything in `.git`: index, HEAD, refs, stash, hooks, settings, objects, logs. */
async function repositoryBytes(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const folder = join(worktree.path, ".git")
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    found[path] = entry.isFile() ? (await readFile(path)).toString("base64") : "folder"
  }
  return found
}

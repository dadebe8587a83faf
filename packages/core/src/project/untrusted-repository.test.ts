import { execFileSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { environmentPrompt } from "../engine/prompt/environment.js"
import { GitSnapshots } from "../snapshot/git-snapshots.js"
import { discoverProject } from "./discover-project.js"
import { identifyProject } from "./project-id.js"
import { git, repository } from "./testing/repository.js"

// Every step starts several processes.
vi.setConfig({ testTimeout: 60_000 })

let top = ""
let work = ""
let program = ""

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "sessile-untrusted-")))
  work = join(top, "work")
  program = join(top, "program")
  await mkdir(join(top, "ran"))
  await repository(work)
  await writeFile(join(work, "a.txt"), "one\n")
  await git(work, "add", "--all")
  await writeFile(program, `#!/bin/sh\ntouch '${join(top, "ran")}'/"$$"\n`)
  await chmod(program, 0o755)
})

afterEach(() => rm(top, { recursive: true, force: true }))

/** Settings by which git runs a program, of which each is set to one that leaves a trace. */
const settings: readonly [string, (program: string) => string][] = [
  ["core.fsmonitor", (program) => program],
  ["core.hooksPath", () => join(top, "hooks")],
  ["core.pager", (program) => program],
  ["pager.rev-list", (program) => program],
  ["core.editor", (program) => program],
  ["core.sshCommand", (program) => program],
  ["core.askPass", (program) => program],
  ["core.gitProxy", (program) => program],
  ["core.alternateRefsCommand", (program) => program],
  ["credential.helper", (program) => `!${program}`],
  ["diff.external", (program) => program],
  ["diff.run.command", (program) => program],
  ["diff.run.textconv", (program) => program],
  ["merge.run.driver", (program) => program],
  ["filter.run.clean", (program) => program],
  ["filter.run.smudge", (program) => program],
  ["filter.run.process", (program) => program],
  ["gpg.program", (program) => program],
  ["log.showSignature", () => "true"],
  ["uploadpack.packObjectsHook", (program) => program],
  ["alias.rev-parse", (program) => `!${program}`],
  ["alias.ls-files", (program) => `!${program}`],
]

describe("a repository whose settings name a program", () => {
  it.each(settings)("does not get it to run by %s", async (name, value) => {
    await mkdir(join(top, "hooks"))
    for (const hook of ["post-index-change", "post-checkout", "reference-transaction", "pre-commit"]) {
      await writeFile(join(top, "hooks", hook), `#!/bin/sh\nexec '${program}' </dev/null\n`)
      await chmod(join(top, "hooks", hook), 0o755)
    }
    await git(work, "config", name, value(program))
    await writeFile(join(work, ".gitattributes"), "* filter=run diff=run merge=run\n")
    await useEverything()
    expect(await readdir(join(top, "ran"))).toEqual([])
  })

  it("does not get it to run by fetching an object that is missing", async () => {
    await git(work, "config", "core.repositoryFormatVersion", "1")
    await git(work, "config", "extensions.partialClone", "origin")
    await git(work, "config", "remote.origin.promisor", "true")
    await git(work, "config", "remote.origin.url", `file://${join(top, "elsewhere")}`)
    await git(work, "config", "remote.origin.uploadpack", program)
    await git(work, "config", "core.sshCommand", program)
    await git(work, "config", "protocol.allow", "always")
    await git(work, "config", "protocol.file.allow", "always")
    await repository(join(top, "elsewhere"))
    await writeFile(join(work, ".git", "refs", "heads", "missing"), `${"1".repeat(40)}\n`)
    await discoverProject(work).catch(() => undefined)
    expect(await readdir(join(top, "ran"))).toEqual([])
  })

  it("would get it to run if git were called as it is", async () => {
    await git(work, "config", "core.fsmonitor", program)
    await git(work, "status")
    expect(await readdir(join(top, "ran"))).not.toEqual([])
  })

  it("does not get it to run by a setting that holds others", async () => {
    const value = `true\n[core]\nfsmonitor = ${program}\nhooksPath = ${top}\n[include]\npath = ${program}`
    // Git itself refuses such a value for the switches that are copied too.
    await git(work, "config", "core.excludesFile", value)
    const snapshots = await GitSnapshots.open({ worktree: work, folder: join(top, "snapshots") })
    await snapshots.track()
    expect(await readFile(join(top, "snapshots", "config"), "utf8")).not.toContain(program)
  })

  async function useEverything() {
    await discoverProject(work)
    await identifyProject(work)
    await environmentPrompt({ directory: work, isRepository: true })
    const snapshots = await GitSnapshots.open({ worktree: work, folder: join(top, "snapshots") })
    const hash = await snapshots.track()
    await writeFile(join(work, "a.txt"), "two\n")
    const patch = await snapshots.patch(hash)
    await snapshots.diff(hash)
    await snapshots.diffFull(hash)
    await snapshots.revert([patch])
    await snapshots.restore(hash)
  }
})

describe("a repository that points elsewhere", () => {
  it("is not taken for the folder that core.worktree names", async () => {
    await git(work, "config", "core.worktree", top)
    const { root, worktree } = await discoverProject(work)
    expect([root, worktree]).toEqual([work, work])
  })

  it.skipIf(process.platform === "win32")("does not make git or us wait for a pipe", async () => {
    const pipe = join(top, "pipe")
    execFileSync("mkfifo", [pipe, join(work, ".git", "opencode")])
    await git(work, "config", "core.excludesFile", pipe)
    await environmentPrompt({ directory: work, isRepository: true })
    await discoverProject(work)
    await rm(join(work, ".git", "info", "exclude"), { force: true })
    await symlink(pipe, join(work, ".git", "info", "exclude"))
    const snapshots = await GitSnapshots.open({ worktree: work, folder: join(top, "snapshots") })
    await snapshots.track()
  })
})

import { execFileSync } from "node:child_process"
import { cp, mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { databasePath, fixturePath, withSql } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { describeWithOpencode } from "./describe-with-opencode.js"
import { OpencodeSandbox } from "./opencode-sandbox.js"
import { sessileOf } from "./sessile.js"
import { listedIn, pasteIntoShell } from "./user-shell.js"
import { makeWorktree, projectID, useWorktree } from "./worktree.js"

const VERSION = "1.18.34"

interface RescueReport {
  readonly outcome: string
  readonly sessions: Record<string, number>
  readonly projects: readonly {
    readonly id: string
    readonly missing: readonly { readonly id: string; readonly parent: string | null }[]
    readonly deleted: readonly { readonly id: string; readonly command: string }[]
  }[]
  readonly listedIn: readonly {
    readonly folder: string
    readonly sessions: number
    readonly commands: readonly string[]
  }[]
  readonly notListed: readonly { readonly project: string; readonly sessions: number }[]
  readonly blankSessions: readonly string[]
  readonly goBack: string
}

async function rescue(opencode: OpencodeSandbox, ...options: string[]): Promise<RescueReport> {
  const { stdout } = await sessileOf(opencode, "rescue", "--yes", "--json", "--quiet", ...options)
  return JSON.parse(stdout)
}

/** Runs the commands of the output, and compares what opencode lists with what the output promised. */
async function expectPromisesKept(opencode: OpencodeSandbox, report: RescueReport): Promise<void> {
  const missing = report.projects.flatMap((project) => project.missing)
  const roots = new Set(missing.filter(({ parent }) => parent === null).map(({ id }) => id))
  let listed = 0
  for (const { commands, sessions, folder } of report.listedIn) {
    const found = listedIn(await pasteIntoShell(opencode, commands)).filter((id) => roots.has(id))
    expect(found, folder).toHaveLength(sessions)
    listed += sessions
  }
  const unlisted = report.notListed.reduce((sum, { sessions }) => sum + sessions, 0)
  expect(listed + unlisted).toBe(roots.size)
}

describeWithOpencode(`the end of a rescue, and what opencode ${VERSION} lists`, () => {
  test("agree for repositories, gone folders, changed ids, and what belongs to no repository", async () => {
    await using opencode = await OpencodeSandbox.create(VERSION)
    const home = dirname(opencode.worktree)
    const at = (name: string) => join(home, name)
    const renamed = await repository(at("renamed"), "git@example.com:acme/renamed.git")
    const other = await repository(at("other"))
    const adopting = await repository(at("adopting"))
    await mkdir(at("plain"))
    // opencode names the repository after its remote from its first start in it on.
    await pasteIntoShell(opencode, [`cd ${at("renamed")} && opencode session list`])
    const add = sessionWriter(opencode)
    await add(projectID, opencode.worktree, opencode.worktree)
    await add(projectID, opencode.worktree, at("acme/sub"))
    await add(renamed, at("renamed"), at("renamed"))
    await add(other, at("other"), at("other"))
    await add("1".repeat(40), at("other"), at("other"))
    await add("2".repeat(40), at("it's gone"), at("it's gone"))
    await add("3".repeat(40), undefined, "/")
    await add("global", "/", at("plain"))
    await add("global", "/", at("gone-too"))
    await add("global", "/", at("adopting"))

    const report = await rescue(opencode)
    expect(report.sessions).toMatchObject({ missing: 10 })
    expect(report.listedIn.map(({ folder, sessions }) => [folder, sessions]).sort()).toEqual(
      [
        [opencode.worktree, 2],
        [at("renamed"), 1],
        [at("other"), 1],
        [at("it's gone"), 1],
        [at("adopting"), 1],
        [at("plain"), 2],
      ].sort(),
    )
    expect(report.notListed.map(({ project }) => project).sort()).toEqual(["1".repeat(40), "3".repeat(40)])
    expect(adopting).toMatch(/^[0-9a-f]{40}$/)
    await expectPromisesKept(opencode, report)
  })

  test("agree for more sessions than opencode lists by itself", async () => {
    await using opencode = await OpencodeSandbox.create(VERSION)
    const add = sessionWriter(opencode)
    for (let count = 0; count < 120; count++) await add(projectID, opencode.worktree, opencode.worktree)
    const report = await rescue(opencode)
    expect(report.listedIn).toMatchObject([{ sessions: 120 }])
    await expectPromisesKept(opencode, report)
  })

  test("agree for a database that opencode opens only when told to", async () => {
    await using opencode = await OpencodeSandbox.create(VERSION)
    await sessionWriter(opencode)(projectID, opencode.worktree, opencode.worktree)
    const database = join(dirname(opencode.worktree), "my own.db")
    const report = await rescue(opencode, "--database", database)
    expect(report.listedIn).toMatchObject([{ sessions: 1 }])
    await expectPromisesKept(opencode, report)
  })

  describe.each(["v0.1.174", "v0.5.29", "v1.0.61", "v1.1.65", "v1.1.65-id-wrap"] as const)(
    "agree for %s",
    (name) => {
      test.each(["a new database", "a database in use"])("brought into %s", async (kind) => {
        const template = kind === "a new database" ? undefined : databasePath("native-1.18.34")
        await using opencode = await OpencodeSandbox.create(VERSION, template)
        await cp(fixturePath(name), opencode.data, { recursive: true })
        // Nothing is to be made in a folder of this machine.
        const gone = join(dirname(opencode.worktree), "gone")
        await useWorktree(opencode.data, gone)
        if (template !== undefined) {
          withSql(opencode.database, (sql) => sql.prepare("UPDATE project SET worktree = ?").run(gone))
        }
        await expectPromisesKept(opencode, await rescue(opencode))
      })
    },
  )

  test("agree on the content of a history of 0.1.174: no session that was brought in is blank", async () => {
    await using opencode = await OpencodeSandbox.create(VERSION)
    await cp(fixturePath("v0.1.174"), opencode.data, { recursive: true })
    await useWorktree(opencode.data, opencode.worktree)
    const { sessions, blankSessions, projects } = await rescue(opencode)
    expect({ sessions, blankSessions }).toMatchObject({ sessions: { missing: 5 }, blankSessions: [] })
    for (const { id } of projects.flatMap((project) => project.missing)) {
      const { messages } = await opencode.exportSession(id)
      const questions = messages.filter(({ info }) => info.role === "user")
      expect(questions.length).toBeGreaterThan(0)
      for (const { parts } of questions) expect(parts.some(({ type }) => type === "text")).toBe(true)
    }
  })

  test("agree for a backup: its sessions are in the database that opencode opens", async () => {
    await using opencode = await OpencodeSandbox.create(VERSION, databasePath("native-1.18.34"))
    const backup = join(dirname(opencode.worktree), "backup")
    await cp(fixturePath("v1.0.61"), backup, { recursive: true })
    await useWorktree(backup, opencode.worktree)
    withSql(opencode.database, (sql) => sql.prepare("UPDATE project SET worktree = ?").run(opencode.worktree))
    await expectPromisesKept(opencode, await rescue(opencode, "--data", backup))
  })
})

describeWithOpencode("a session that is deleted in opencode", () => {
  test.each([
    ["1.2.27", "its own import"],
    ["1.15.13", "its own import"],
    [VERSION, "a rescue"],
  ])("%s after %s stays deleted, and comes back with the command of the plan", async (version, how) => {
    await using opencode = await OpencodeSandbox.create(version)
    await cp(join(fixturePath("v1.1.65"), "storage"), opencode.storage, { recursive: true })
    if (how === "a rescue") await rescue(opencode)
    const before = await opencode.listedTitles()
    expect(before.size).toBe(12)
    const [id = ""] = [...before].find(([, title]) => title === "Plan mode") ?? []
    expect((await opencode.run("session", "delete", id)).exitCode).toBe(0)

    const report = await rescue(opencode)
    expect(report).toMatchObject({ outcome: "nothing", sessions: { missing: 0, deleted: 1 } })
    expect(await opencode.listedTitles()).toEqual(new Map([...before].filter(([other]) => other !== id)))
    const [deleted] = report.projects.flatMap((project) => project.deleted)
    expect(deleted).toMatchObject({ id, command: `sessile rescue --session ${id}` })
    await rescue(opencode, "--session", id)
    expect(await opencode.listedTitles()).toEqual(before)
  })
})

describeWithOpencode("the command to go back", () => {
  test(`gives opencode ${VERSION} the database that it had`, async () => {
    await using opencode = await OpencodeSandbox.create(VERSION, databasePath("native-1.18.34"))
    await cp(join(fixturePath("v1.1.65"), "storage"), opencode.storage, { recursive: true })
    const before = await opencode.listedTitles()
    const { goBack } = await rescue(opencode)
    expect((await opencode.listedTitles()).size).toBe(before.size + 12)
    await pasteIntoShell(opencode, [goBack])
    expect(await opencode.listedTitles()).toEqual(before)
  })
})

/** Makes a repository with a first commit of its own, and gives the id of that. */
async function repository(path: string, remote?: string): Promise<string> {
  await makeWorktree(path)
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", path, "-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args])
  git("checkout", "--quiet", "--orphan", "own")
  git("commit", "--quiet", `--message=${path}`)
  git("branch", "--quiet", "-D", "main")
  if (remote !== undefined) git("remote", "add", "origin", remote)
  return git("rev-parse", "HEAD").toString().trim()
}

/** Writes one session after the other to the JSON files of an opencode, each with its project. */
function sessionWriter(opencode: OpencodeSandbox) {
  let count = 0
  const write = async (key: readonly string[], value: object) => {
    const path = `${join(opencode.storage, ...key)}.json`
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(value))
  }
  return async (project: string, worktree: string | undefined, directory: string): Promise<void> => {
    const id = `ses_e1e7b3f5cffennBdQUADz${String(++count).padStart(5, "0")}`
    const time = { created: 1794784936099 + count, updated: 1794784936206 + count }
    if (worktree !== undefined) await write(["project", project], { id: project, worktree, time })
    const session = { id, version: "1.1.65", projectID: project, directory, title: `Session ${count}`, time }
    await write(["session", project, id], session)
  }
}

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setImmediate as immediate } from "node:timers/promises"
import { copyFixture, fixturePath, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "../json-storage.js"
import { gather } from "../testing/gather.js"
import { migrate } from "./migrate.js"

// A child process cannot load TypeScript, so it runs the build.
const builtPackage = new URL("../../dist/index.js", import.meta.url).href
const ROOT_COMMIT = "a08918a10ff26f65d55fc0bead5534907d8df481"

describe("from the legacy layout of 0.5.29", () => {
  test("every message and part is copied byte for byte, and the originals stay", async () => {
    await using data = await copyFixture("v0.5.29")
    const originals = await snapshot(join(data.path, "project"))
    await migrate({ path: join(data.path, "storage") })

    expect(await snapshot(join(data.path, "project"))).toEqual(originals)
    const copied = Object.entries(await contents(join(data.path, "project"))).flatMap(([path, content]) => {
      const match = /storage\/session\/(?:(message\/.+)|(part)\/[^/]+\/(.+))$/.exec(path)
      return match ? [[match[1] ?? `part/${match[3]}`, content] as const] : []
    })
    expect(copied).toHaveLength(75)
    expect(await contents(join(data.path, "storage"))).toMatchObject(Object.fromEntries(copied))
  })

  test("sessions gain project and directory, and opencode's marker says 2", async () => {
    await using data = await copyFixture("v0.5.29")
    const path = join(data.path, "storage")
    const report = await migrate({ path })
    expect(report).toMatchObject({ from: 0, to: 2, written: 85, present: 0, remarks: [] })
    expect(await readFile(join(path, "migration"), "utf8")).toBe("2")

    await using storage = await JsonStorage.open({ path, readonly: true })
    const session = await storage.read(["session", "global", "ses_e1e7ae6e5ffecrx2Go3nVsEEml"])
    expect(JSON.stringify(session)).toBe(
      JSON.stringify({
        id: "ses_e1e7ae6e5ffecrx2Go3nVsEEml",
        version: "0.5.29",
        projectID: "global",
        directory: "/home/dev/nogit",
        title: "A generated title 1",
        time: { created: 1794784958747, updated: 1794784958893 },
      }),
    )
    expect(await storage.read(["project", "global"])).toEqual({
      id: "global",
      worktree: "/",
      time: { created: 1794784958747 },
    })
  })

  test("the project id is the root commit that the worktree tells", async () => {
    await using data = await copyFixture("v0.5.29")
    const worktree = await pointToWorktree(data.path)
    await mkdir(join(worktree, ".git"), { recursive: true })
    await writeFile(join(worktree, ".git", "opencode"), ROOT_COMMIT)
    const { projects } = await migrate({ path: join(data.path, "storage") })
    expect(projects).toContainEqual({ folder: "home-dev-code-acme", id: ROOT_COMMIT, worktree })

    await using storage = await JsonStorage.open({ path: join(data.path, "storage") })
    expect(await storage.list(["session", ROOT_COMMIT])).toHaveLength(8)
    expect(await storage.read(["project", ROOT_COMMIT])).toMatchObject({ worktree, vcs: "git" })
  })

  test("sessions whose worktree is gone go to the project global, know where they were, and are reported", async () => {
    await using data = await copyFixture("v0.5.29")
    const worktree = await pointToWorktree(data.path)
    const { projects, remarks } = await migrate({ path: join(data.path, "storage") })
    expect(projects).toContainEqual({
      folder: "home-dev-code-acme",
      id: "global",
      worktree,
      unidentified: `${worktree}: the folder does not exist`,
    })
    expect(remarks).toEqual([])
    await using storage = await JsonStorage.open({ path: join(data.path, "storage") })
    const sessions = await gather(
      storage.scan<{ projectID: string; directory: string }>(["session", "global"]),
    )
    expect(sessions).toHaveLength(9)
    expect(sessions.filter(({ value }) => value.directory === worktree)).toHaveLength(8)
    for (const { value } of sessions) expect(value.projectID).toBe("global")
    expect(await storage.list(["project"])).toEqual([["project", "global"]])
    expect(await storage.read(["project", "global"])).toMatchObject({ id: "global", worktree: "/" })
  })

  test("damaged records are copied as they are, and what is no record is named", async () => {
    await using data = await copyFixture("v0.5.29")
    const sessions = join(data.path, "project", "global", "storage", "session")
    const halfSession = join(sessions, "info", "ses_half.json")
    await writeFile(halfSession, '{"id": "ses_ha')
    await writeFile(join(sessions, "message", "ses_e1e7ae6e5ffecrx2Go3nVsEEml", "msg_empty.json"), "")
    const share = join(sessions, "share", "ses_e1e7ae6e5ffecrx2Go3nVsEEml.json")
    await mkdir(dirname(share))
    await writeFile(share, "{}")

    const { remarks, written } = await migrate({ path: join(data.path, "storage") })
    expect(written).toBe(87)
    expect(remarks).toEqual([
      { path: share, remark: expect.stringContaining("left where it is") },
      { path: halfSession, remark: "damaged; copied as it is" },
      {
        path: join(data.path, "storage", "session", "global", "ses_half.json"),
        remark: "damaged; left as it is",
      },
    ])
    expect(await contents(join(data.path, "storage"))).toMatchObject({
      "session/global/ses_half.json": '{"id": "ses_ha',
      "message/ses_e1e7ae6e5ffecrx2Go3nVsEEml/msg_empty.json": "",
    })
  })

  test("what the store has already stays, and a different record is remarked upon", async () => {
    await using data = await copyFixture("v0.5.29")
    const path = join(data.path, "storage")
    const session = join(path, "session", "global", "ses_e1e7ae6e5ffecrx2Go3nVsEEml.json")
    await mkdir(dirname(session), { recursive: true })
    await writeFile(session, '{"title":"renamed since"}')
    const { written, present, remarks } = await migrate({ path })
    expect({ written, present }).toEqual({ written: 84, present: 1 })
    expect(remarks).toEqual([{ path: expect.any(String), remark: expect.stringContaining(session) }])
    expect(await readFile(session, "utf8")).toBe('{"title":"renamed since"}')
  })

  test("a run that was cut short is completed by the next one", async () => {
    await using data = await copyFixture("v0.5.29")
    await using whole = await copyFixture("v0.5.29")
    const path = join(data.path, "storage")
    await migrate({ path })
    await rm(join(path, "migration"))
    await rm(join(path, "session", "global"), { recursive: true })
    await rm(join(path, "part", "msg_1e18519ae001PxT55Q0vvl7DFp"), { recursive: true })

    expect(await migrate({ path })).toMatchObject({ from: 0, to: 2, written: 13, present: 71, remarks: [] })
    await migrate({ path: join(whole.path, "storage") })
    expect(await contents(path)).toEqual(await contents(join(whole.path, "storage")))
  })
})

test("a migration killed at any moment is completed by the next one", { timeout: 30_000 }, async () => {
  await using whole = await copyFixture("v0.5.29")
  await migrate({ path: join(whole.path, "storage") })
  const expected = await contents(join(whole.path, "storage"))
  for (const patience of [1, 20, 60, 120]) {
    await using data = await copyFixture("v0.5.29")
    const path = join(data.path, "storage")
    await killDuringMigration(path, patience)
    await migrate({ path })
    const { [leftover(await contents(path))]: _, ...files } = await contents(path)
    expect(files).toEqual(expected)
  }
})

describe("from version 1", () => {
  const session = {
    id: "ses_1",
    projectID: "p",
    custom: true,
    summary: { diffs: [diff("a", 3, 1), diff("b", 4, 0)], note: "kept" },
    title: "t",
  }

  test("diffs move to session_diff, totals and unknown fields stay, and so does the original", async () => {
    await using folder = await storeAtVersion1({ "session/p/ses_1.json": JSON.stringify(session) })
    const report = await migrate({ path: folder.path })
    expect(report).toMatchObject({ from: 1, to: 2, written: 2, remarks: [] })

    const files = await contents(folder.path)
    const summary = { additions: 7, deletions: 1, files: 2, note: "kept" }
    expect(files["session/p/ses_1.json"]).toBe(JSON.stringify({ ...session, summary }, null, 2))
    expect(files["session_diff/ses_1.json"]).toBe(JSON.stringify(session.summary.diffs, null, 2))
    expect(files[".sessile/originals/version-1/session/p/ses_1.json"]).toBe(JSON.stringify(session))
    expect(files.migration).toBe("2")
  })

  test("a session_diff that is there already stays", async () => {
    await using folder = await storeAtVersion1({
      "session/p/ses_1.json": JSON.stringify(session),
      "session_diff/ses_1.json": "[]",
    })
    const { remarks } = await migrate({ path: folder.path })
    expect(remarks).toEqual([{ path: expect.any(String), remark: expect.stringContaining("session_diff") }])
    expect((await contents(folder.path))["session_diff/ses_1.json"]).toBe("[]")
  })

  test("damaged sessions are left as they are, with a remark", async () => {
    const damaged = { "session/p/ses_1.json": "{", "session/p/ses_2.json": '{"summary":{"diffs":"?"}}' }
    await using folder = await storeAtVersion1(damaged)
    const { remarks, written } = await migrate({ path: folder.path })
    expect({ written, remarks: remarks.length }).toEqual({ written: 0, remarks: 2 })
    expect(await contents(folder.path)).toMatchObject(damaged)
  })

  test("a step that fails does not advance the marker, and can be run again", async () => {
    await using folder = await storeAtVersion1({
      "session/p/ses_1.json": JSON.stringify(session),
      session_diff: "a file",
    })
    await expect(migrate({ path: folder.path })).rejects.toMatchObject({ name: "StorageError" })
    expect(await readFile(join(folder.path, "migration"), "utf8")).toBe("1")

    await rm(join(folder.path, "session_diff"))
    expect(await migrate({ path: folder.path })).toMatchObject({ from: 1, to: 2, written: 2 })
  })
})

describe("a store that is up to date", () => {
  test("the records of 1.0.61 are left alone", async () => {
    await using fixture = await copyFixture("v1.0.61")
    const path = join(fixture.path, "storage")
    expect(await migrate({ path })).toEqual({
      from: 2,
      to: 2,
      projects: [],
      written: 0,
      present: 0,
      remarks: [],
    })
    expect(await contents(path)).toEqual(await contents(join(fixturePath("v1.0.61"), "storage")))
  })

  test("the store of 1.0.61, its marker lost, comes out the same", async () => {
    await using fixture = await copyFixture("v1.0.61")
    const path = join(fixture.path, "storage")
    await rm(join(path, "migration"))
    expect(await migrate({ path })).toMatchObject({ from: 0, to: 2, written: 0, remarks: [] })
    expect(await contents(path)).toEqual(await contents(join(fixturePath("v1.0.61"), "storage")))
  })

  test("one of a newer version is refused", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "migration"), "3")
    await expect(migrate({ path: folder.path })).rejects.toMatchObject({ code: "UNSUPPORTED" })
  })

  test("a marker that is no number is an error, and nothing is touched", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "migration"), "two")
    await expect(migrate({ path: folder.path })).rejects.toMatchObject({ code: "CORRUPT" })
    expect(await readFile(join(folder.path, "migration"), "utf8")).toBe("two")
  })
})

test("opening with migrate: true brings a store up to date", async () => {
  await using data = await copyFixture("v0.5.29")
  await using storage = await JsonStorage.open({ path: join(data.path, "storage"), migrate: true })
  expect(await storage.list([])).toHaveLength(85 + 1)
  expect(await storage.read(["migration"])).toBe(2)
})

test("two migrations at once do the work once", async () => {
  await using data = await copyFixture("v0.5.29")
  const path = join(data.path, "storage")
  const reports = await Promise.all([migrate({ path }), migrate({ path })])
  expect(reports.map((report) => report.written).sort()).toEqual([0, 85])
})

function diff(file: string, additions: number, deletions: number) {
  return { file, before: "", after: "", additions, deletions }
}

async function storeAtVersion1(files: Record<string, string>) {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries({ ...files, migration: "1" })) {
    const path = join(folder.path, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return folder
}

/** Kills a migrating process once it has written this many files. */
async function killDuringMigration(path: string, files: number): Promise<void> {
  const script = `import { migrate } from ${JSON.stringify(builtPackage)}; await migrate({ path: ${JSON.stringify(path)} })`
  await mkdir(path)
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "inherit" })
  const ended = once(child, "exit")
  while (child.exitCode === null && (await recordCount(path)) < files) await immediate()
  child.kill("SIGKILL")
  await ended
}

async function recordCount(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true })
  // What begins with a dot holds no records, and locks in it, which come and go.
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
  const names = await Promise.all(folders.map(({ name }) => readdir(join(path, name), { recursive: true })))
  return names.flat().filter((name) => name.endsWith(".json")).length
}

/** The file that the killed process was preparing; nobody sees it, and it is swept later. */
function leftover(files: Record<string, string>): string {
  return Object.keys(files).find((name) => name.startsWith(".sessile/temporary/")) ?? "none"
}

async function pointToWorktree(data: string): Promise<string> {
  const worktree = join(data, "acme")
  const messages = join(data, "project", "home-dev-code-acme", "storage", "session", "message")
  for (const name of await readdir(messages, { recursive: true })) {
    if (!name.endsWith(".json")) continue
    const text = await readFile(join(messages, name), "utf8")
    await writeFile(join(messages, name), text.replaceAll("/home/dev/code/acme", worktree))
  }
  return worktree
}

async function contents(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files[path.slice(folder.length + 1)] = await readFile(path, "utf8")
  }
  return files
}

async function snapshot(folder: string): Promise<Record<string, number>> {
  const names = await readdir(folder, { recursive: true })
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).mtimeMs])),
  )
}

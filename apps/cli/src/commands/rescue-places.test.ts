import { execFileSync } from "node:child_process"
import { chmod, cp, mkdir, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { copyDatabase, copyFixture, fixturePath, temporaryFolder } from "@sessile/fixtures"
import { OpencodeStorage } from "@sessile/opencode-db"
import { describe, expect, test } from "vitest"
import { upgraded } from "../testing/database.js"
import { sessile } from "../testing/program.js"
import { project } from "../testing/sample.js"
import { stateOf } from "../testing/tree.js"

const rescue = (data: string, ...options: string[]) =>
  sessile(["rescue", ...options], { env: { OPENCODE_DATA_DIR: data } })
const reportOf = async (run: ReturnType<typeof sessile>) => JSON.parse((await run).stdout)

describe("the JSON files", () => {
  test("are missing: it names the folder that was searched, exit code 3", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    const { code, stderr } = await rescue(copy.path, "--yes")
    expect(code).toBe(3)
    expect(stderr).toContain(copy.path)
    expect(stderr).toContain("--data")
  })

  test("are found in opencode's data folder, and in the storage folder that --data names", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    for (const options of [[], ["--data", join(data.path, "storage")], ["--data", data.path]]) {
      expect(await reportOf(rescue(data.path, "--dry-run", "--json", ...options))).toMatchObject({
        target: `opencode:${data.database}`,
        sessions: { missing: 14 },
      })
    }
  })

  test("of a 0.x release are brought in together with those of later releases", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    await cp(fixturePath("v0.5.29"), data.path, { recursive: true })
    // Both have this project; that of the later release counts, and was not changed while it was read.
    await utimes(join(data.path, "storage", "project", `${project}.json`), 1, 1)
    const before = await stateOf(join(data.path, "project"))
    const { code, stdout } = await rescue(data.path, "--yes", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout).sessions).toMatchObject({ missing: 23, both: 0, databaseOnly: 7 })
    expect(await stateOf(join(data.path, "project"))).toEqual(before)
    expect((await rescue(data.path)).stdout).toContain("Nothing to do")
  })
})

describe("--data names a backup", () => {
  test("which is only read: its sessions go into the database that opencode opens", async () => {
    await using backup = await copyFixture("v1.1.65")
    await using own = await copyDatabase("native-1.18.34")
    const before = await stateOf(backup.path)
    const { code, stdout } = await rescue(own.path, "--data", backup.path, "--yes", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      source: `json:${backup.path}`,
      target: `opencode:${own.database}`,
      sessions: { missing: 14, databaseOnly: 7 },
    })
    expect(await stateOf(backup.path)).toEqual(before)
    await using storage = await OpencodeStorage.open({ path: own.database, readonly: true })
    expect(await storage.list(["session"])).toHaveLength(21)
  })

  test("with a database in it: that one stays as it is too", async () => {
    await using backup = await upgraded("native-1.18.34", "v1.1.65")
    await using own = await copyDatabase("empty-1.18.34")
    const before = await stateOf(backup.path)
    expect((await rescue(own.path, "--data", backup.path, "--yes")).code).toBe(0)
    expect(await stateOf(backup.path)).toEqual(before)
  })

  test("before opencode was ever started: the new database is where opencode will look for it", async () => {
    await using backup = await copyFixture("v1.1.65")
    await using home = await temporaryFolder()
    const before = await stateOf(backup.path)
    const data = join(home.path, "share", "opencode")
    const { code, stdout } = await rescue(data, "--data", backup.path, "--yes", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      target: `opencode:${join(data, "opencode.db")}`,
      newDatabase: true,
    })
    expect(await stateOf(backup.path)).toEqual(before)
  })
})

describe("the database", () => {
  test("does not exist yet: one is made, without a backup, and the plan says so", async () => {
    await using data = await copyFixture("v1.1.65")
    const { code, stdout } = await rescue(data.path, "--yes")
    expect(code).toBe(0)
    expect(stdout).toContain(`${join(data.path, "opencode.db")} (new)`)
    expect(stdout).not.toContain("Backup")
    await using storage = await OpencodeStorage.open({ path: join(data.path, "opencode.db"), readonly: true })
    expect(await storage.list(["session"])).toHaveLength(14)
    expect((await rescue(data.path)).stdout).toContain("Nothing to do")
  })

  test("is the one used last, of any channel; the others are named, and can be chosen", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const other = join(data.path, "opencode-beta.db")
    await cp(data.database, other)
    await utimes(data.database, 1, 1)
    const plan = await rescue(data.path, "--dry-run")
    expect(plan.stdout).toContain(`database    ${other}`)
    expect(plan.stdout).toContain(`not used    ${data.database}`)
    const chosen = await reportOf(rescue(data.path, "--dry-run", "--json", "--database", data.database))
    expect(chosen.target).toBe(`opencode:${data.database}`)
    const env = { OPENCODE_DATA_DIR: data.path, OPENCODE_DB: "opencode.db" }
    const named = await reportOf(sessile(["rescue", "--dry-run", "--json"], { env }))
    expect(named.target).toBe(`opencode:${data.database}`)
  })

  test("elsewhere gets the files without a table beside it", async () => {
    await using data = await copyFixture("v1.1.65")
    await using copy = await copyDatabase("empty-1.18.34")
    const { code } = await rescue(data.path, "--database", copy.database, "--yes")
    expect(code).toBe(0)
    const diffs = await readdir(join(copy.path, "storage", "session_diff"))
    expect(diffs.sort()).toEqual((await readdir(join(data.path, "storage", "session_diff"))).sort())
  })

  test("among the JSON files is refused, exit code 2", async () => {
    await using data = await copyFixture("v1.1.65")
    const before = await stateOf(data.path)
    const { code, stderr } = await rescue(
      data.path,
      "--yes",
      "--database",
      join(data.path, "storage", "opencode.db"),
    )
    expect(code).toBe(2)
    expect(stderr).toContain("inside the source")
    expect(await stateOf(data.path)).toEqual(before)
  })
})

describe("what is named like a database and is none", () => {
  const make: Record<string, (path: string) => unknown> = {
    "a named pipe": (path) => execFileSync("mkfifo", [path]),
    "a folder": (path) => mkdir(path),
    "a link that leads nowhere": (path) => symlink("/nowhere/at-all", path),
    "an empty file": (path) => writeFile(path, ""),
    "This file has the name of opencode's database, but is not": (path) => writeFile(path, "some text"),
  }

  test.skipIf(process.platform === "win32").each(Object.keys(make))("%s is skipped by name", async (kind) => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const path = join(data.path, "opencode-x.db")
    await make[kind]?.(path)
    const { code, stdout, stderr } = await rescue(data.path, "--yes", "--json")
    expect(code).toBe(0)
    expect(stderr).toContain(`Skipped ${path}: ${kind}`)
    expect(JSON.parse(stdout)).toMatchObject({
      target: `opencode:${data.database}`,
      skippedFiles: [{ path, reason: expect.stringContaining(kind) }],
      sessions: { missing: 14 },
    })
    await rm(path, { recursive: true })
  })

  test.skipIf(process.platform === "win32")("a socket is skipped by name", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const path = join(data.path, "opencode-x.db")
    const server = createServer().listen(path)
    try {
      const { code, stderr } = await rescue(data.path, "--dry-run")
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `sessile: Skipped ${path}: a socket, not a file\n`,
      })
    } finally {
      server.close()
    }
  })

  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "a file that may not be read is skipped by name (root may read all)",
    async () => {
      await using data = await upgraded("native-1.18.34", "v1.1.65")
      const path = join(data.path, "opencode-x.db")
      await writeFile(path, "secret")
      await chmod(path, 0)
      const { code, stderr } = await rescue(data.path, "--dry-run")
      expect(code).toBe(0)
      expect(stderr).toContain(`Skipped ${path}`)
    },
  )

  test("a damaged one beside the usual one is skipped, and the usual one is used", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const path = join(data.path, "opencode-x.db")
    await writeFile(path, `SQLite format 3\0${"x".repeat(5000)}`)
    const { code, stderr } = await rescue(data.path, "--dry-run")
    expect(code).toBe(0)
    expect(stderr).toContain(`Skipped ${path}`)
  })

  test.skipIf(process.platform === "win32").each([
    [[], "opencode.db"],
    [["--database", "named.db"], "named.db"],
  ])("the database itself (%j) as a named pipe is an error, not a wait", async (options, name) => {
    await using data = await copyFixture("v1.1.65")
    execFileSync("mkfifo", [join(data.path, name)])
    const env = { OPENCODE_DATA_DIR: data.path }
    const { code, stderr } = await sessile(["rescue", "--yes", ...options], { cwd: data.path, env })
    expect(code).toBe(1)
    expect(stderr).toContain("this is a named pipe")
  })
})

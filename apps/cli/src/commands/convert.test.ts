import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { damage, project, sample } from "../testing/sample.js"

test("a store becomes one SQLite file, with a ledger that adds up; running again writes nothing", async () => {
  await using folder = await temporaryFolder()
  const first = await sessile(["convert", sample, "history.db"], { cwd: folder.path })
  expect(first).toMatchObject({ code: 0, stderr: "" })
  expect(first.stdout).toContain("59 found = 59 written + 0 already there + 0 set aside")
  const again = await sessile(["convert", sample, "history.db"], { cwd: folder.path })
  expect(again).toMatchObject({ code: 0, stderr: "" })
  expect(again.stdout).toContain("59 found = 0 written + 59 already there + 0 set aside")
  expect(await readdir(folder.path)).toEqual(["history.db"])
})

describe("which place is meant", () => {
  test("nothing: opencode's data folder and a file in the working directory, both named", async () => {
    await using folder = await temporaryFolder()
    const env = { OPENCODE_DATA_DIR: sample }
    const { code, stdout } = await sessile(["convert"], { cwd: folder.path, env })
    expect(code).toBe(0)
    expect(stdout).toContain(`json:${sample}`)
    expect(stdout).toContain(`sqlite:${join(folder.path, "opencode-history.db")}`)
  })

  test("XDG_DATA_HOME leads to opencode's data folder", async () => {
    await using folder = await temporaryFolder()
    await cp(sample, join(folder.path, "opencode"), { recursive: true })
    const { code, stdout } = await sessile(["inspect"], { env: { XDG_DATA_HOME: folder.path } })
    expect(code).toBe(0)
    expect(stdout).toContain(`json:${join(folder.path, "opencode")}`)
  })

  test("no data folder: it says where it looked, with exit code 3", async () => {
    await using folder = await temporaryFolder()
    const { code, stderr } = await sessile(["convert"], { cwd: folder.path })
    expect(code).toBe(3)
    expect(stderr).toContain("/nowhere/opencode")
    expect(await readdir(folder.path)).toEqual([])
  })

  test("JSON files alone are the source, a database alone is the target, also when it is there", async () => {
    await using folder = await temporaryFolder()
    const env = { OPENCODE_DATA_DIR: sample }
    const source = await sessile(["convert", `json:${sample}`, "--json"], { cwd: folder.path })
    expect(JSON.parse(source.stdout).target).toBe(`sqlite:${join(folder.path, "opencode-history.db")}`)
    for (const written of [59, 0]) {
      const target = await sessile(["convert", "history.db", "--json"], { cwd: folder.path, env })
      const report = JSON.parse(target.stdout)
      expect(report.source).toBe(`json:${sample}`)
      expect(report.ledger.written).toBe(written)
    }
  })

  test("a path is recognised by what is there", async () => {
    await using folder = await temporaryFolder()
    const cwd = folder.path
    const run = async (...places: string[]) =>
      JSON.parse((await sessile(["convert", ...places, "--json"], { cwd })).stdout)
    await run(sample, "sqlite:a")
    await run("a", "level:b")
    expect(await run("b", "json:c")).toMatchObject({ source: `level:${join(cwd, "b")}` })
    expect(await run("c", "a")).toMatchObject({
      source: `json:${join(cwd, "c")}`,
      target: `sqlite:${join(cwd, "a")}`,
      ledger: { found: 59, present: 59 },
    })
  })

  test.each([
    ["notes.txt", "does not look like a store"],
    ["folder", "does not look like a store"],
    ["missing", "No such file or folder"],
    ["json:missing", "no store here"],
    ["sqlite:missing", "no store here"],
    ["level:missing", "no store here"],
  ])("%s is no store", async (name, explanation) => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "notes.txt"), "Dear diary")
    await mkdir(join(folder.path, "folder", "photos"), { recursive: true })
    const { code, stderr } = await sessile(["convert", name, "history.db"], { cwd: folder.path })
    expect(code).toBe(name.endsWith("missing") ? 3 : 1)
    expect(stderr).toContain(explanation)
    expect(await readdir(folder.path)).not.toContain("history.db")
  })
})

test("a dry run makes nothing, and tells what would be written", async () => {
  await using folder = await temporaryFolder()
  const { code, stdout } = await sessile(["convert", sample, "history.db", "--dry-run"], { cwd: folder.path })
  expect(code).toBe(0)
  expect(stdout).toContain("59 found = 59 to write + 0 already there + 0 to set aside")
  expect(await readdir(folder.path)).toEqual([])
})

test("a dry run counts what the target holds already, and changes nothing of it", async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  for (const target of ["sqlite:a.db", "level:b", "json:c"]) {
    await sessile(["convert", sample, target], { cwd })
    const path = join(cwd, target.slice(target.indexOf(":") + 1))
    const before = (await stat(path)).mtimeMs
    const { stdout } = await sessile(["convert", sample, target, "--dry-run", "--json"], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, ledger: { found: 59, present: 59, written: 0 } })
    expect((await stat(path)).mtimeMs).toBe(before)
  }
})

describe("damaged records", () => {
  test("are set aside with their bytes and reasons, exit code 8; all others are converted", async () => {
    await using data = await copyFixture("v1.1.65")
    await using folder = await temporaryFolder()
    const damaged = await damage(join(data.path, "storage"))
    const dry = await sessile(["convert", data.path, "history.db", "--dry-run"], { cwd: folder.path })
    expect(dry).toMatchObject({ code: 8, stderr: "sessile: 3 of 265 records would be set aside.\n" })
    const { code, stdout, stderr } = await sessile(["convert", data.path, "history.db"], { cwd: folder.path })
    expect(code).toBe(8)
    expect(stderr).toBe(`sessile: ${damaged.length} of 265 records were set aside.\n`)
    expect(stdout).toContain("265 found = 262 written + 0 already there + 3 set aside")
    for (const { key } of damaged) expect(stdout).toContain(key.join("/"))
    expect(stdout).not.toContain("top secret")

    const report = await sessile(["convert", data.path, "history.db", "--json"], { cwd: folder.path })
    expect(report.code).toBe(8)
    const { ledger, balanced, records } = JSON.parse(report.stdout)
    expect({ ledger, balanced }).toEqual({
      ledger: { found: 265, written: 0, present: 262, setAside: 3 },
      balanced: true,
    })
    const setAside = records.filter(({ outcome }: { outcome: string }) => outcome === "setAside")
    expect(setAside.map(({ key }: { key: string[] }) => key)).toEqual(damaged.map(({ key }) => key))
    for (const [index, { bytes }] of damaged.entries()) {
      expect(setAside[index].reason).not.toBe("")
      expect((await readFile(setAside[index].kept)).equals(bytes)).toBe(true)
      expect(setAside[index].kept.startsWith(join(folder.path, "history.db.set-aside"))).toBe(true)
    }
  })

  test("are kept where --set-aside says", async () => {
    await using data = await copyFixture("v1.1.65")
    await using folder = await temporaryFolder()
    await damage(join(data.path, "storage"))
    await sessile(["convert", data.path, "history.db", "--set-aside", "aside"], { cwd: folder.path })
    expect((await readdir(folder.path)).sort()).toEqual(["aside", "history.db"])
  })

  test.each([[[]], [["--dry-run"]]])("refuse a strict run, before anything is made %j", async (more) => {
    await using data = await copyFixture("v1.1.65")
    await using folder = await temporaryFolder()
    const [first] = await damage(join(data.path, "storage"))
    const { code, stdout, stderr } = await sessile(
      ["convert", data.path, "history.db", "--strict", ...more],
      {
        cwd: folder.path,
      },
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain("3 records would be set aside; nothing was written")
    expect(stderr).toContain(first?.key.join("/"))
    expect(stderr).toContain("Without --strict")
    expect(await readdir(folder.path)).toEqual([])
  })

  test("do not keep a sound store from being converted strictly", async () => {
    await using folder = await temporaryFolder()
    const { code } = await sessile(["convert", sample, "history.db", "--strict"], { cwd: folder.path })
    expect(code).toBe(0)
  })
})

describe("a key under which the target holds other content", () => {
  const key = ["session", project, "ses_e1e7b3eeaffeHsyI3sfsmFre0s"]

  async function changedSource(path: string, updated: number): Promise<string> {
    const file = `${join(path, "storage", ...key)}.json`
    const session = JSON.parse(await readFile(file, "utf8"))
    const text = JSON.stringify({ ...session, title: "Renamed", time: { ...session.time, updated } }, null, 2)
    await writeFile(file, text)
    return text
  }

  test.each([
    ["fail", 4_000_000_000_000, 1, "original"],
    ["skip", 4_000_000_000_000, 8, "original"],
    ["newer", 4_000_000_000_000, 0, "changed"],
    ["newer", 1, 8, "original"],
    [undefined, 4_000_000_000_000, 0, "changed"],
    [undefined, 1, 8, "original"],
    ["replace", 1, 0, "changed"],
  ])("%s, updated %d: exit code %d, the target has the %s one", async (policy, updated, expected, winner) => {
    await using data = await copyFixture("v1.1.65")
    await using folder = await temporaryFolder()
    const cwd = folder.path
    const original = await readFile(`${join(data.path, "storage", ...key)}.json`, "utf8")
    await sessile(["convert", data.path, "history.db"], { cwd })
    const changed = await changedSource(data.path, updated)

    const option = policy === undefined ? [] : ["--on-conflict", policy]
    const run = await sessile(["convert", data.path, "history.db", ...option], { cwd })
    expect(run.code).toBe(expected)
    if (policy === "fail") {
      expect(run.stderr).toContain("one record of the source with other content")
      expect(run.stderr).toContain(key.join("/"))
      expect(run.stderr).toContain("--on-conflict")
    }
    await sessile(["convert", "history.db", "json:back"], { cwd })
    const text = await readFile(`${join(cwd, "back", ...key)}.json`, "utf8")
    expect(text).toBe(winner === "changed" ? changed : original)
    const aside = policy === "fail" ? [] : await filesBelow(join(cwd, "history.db.set-aside"))
    const loser = winner === "changed" ? original : changed
    expect(aside).toEqual(policy === "fail" ? [] : [loser])
  })

  test("records of others in the target stay as they are", async () => {
    await using wrapped = await copyFixture("v1.1.65-id-wrap")
    await using folder = await temporaryFolder()
    const cwd = folder.path
    await sessile(["convert", wrapped.path, "history.db"], { cwd })
    await sessile(["convert", sample, "history.db", "--on-conflict", "skip"], { cwd })
    const { stdout } = await sessile(["verify", wrapped.path, "history.db", "--json"], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ equal: 34, missing: 0, different: 0, extra: 57 })
  })
})

describe("a selection", () => {
  test("--session takes a session with its children, and its project", async () => {
    await using folder = await temporaryFolder()
    const session = "ses_e1e7b3f5cffennBdQUADz2d8x5"
    const { stdout } = await sessile(["convert", sample, "a.db", "--session", session, "--json"], {
      cwd: folder.path,
    })
    const { kinds } = JSON.parse(stdout)
    expect(kinds).toMatchObject({ project: { records: 1 }, session: { records: 3 } })
  })

  test.each([
    [["--session", "ses_missing"], "no session ses_missing"],
    [["--session", "ses_00002a876ffeK9w2x6HfnEOwMf", "--session", "ses_mistyped"], "no session ses_mistyped"],
    [["--project", "missing"], "no session of project missing"],
    [["--project", project, "--project", "missing"], "no session of project missing"],
    [["--since", "2999-01-01"], "No session of the source meets all conditions"],
    [["--since", "1h", "--session", "ses_missing"], "no session ses_missing"],
  ])(
    "%j: a value that nothing meets is named, with exit code 3, and nothing is made",
    async (selection, message) => {
      await using data = await copyFixture("v1.1.65-id-wrap")
      await using folder = await temporaryFolder()
      for (const more of [[], ["--dry-run"], ["--strict"], ["--json"]]) {
        const command = ["convert", data.path, "a.db", ...selection, ...more]
        const { code, stdout, stderr } = await sessile(command, { cwd: folder.path })
        expect(code).toBe(3)
        expect(stderr).toContain(message)
        if (more.includes("--json")) expect(JSON.parse(stdout).error).toMatchObject({ code: "NOT_FOUND" })
      }
      expect(await readdir(folder.path)).toEqual([])
    },
  )

  test("--project and --since take what meets both", async () => {
    await using folder = await temporaryFolder()
    const selection = ["--project", project, "--since", "2020-01-01"]
    const { stdout } = await sessile(["convert", sample, "a.db", ...selection, "--json"], {
      cwd: folder.path,
    })
    expect(JSON.parse(stdout).kinds.session.records).toBe(6)
  })
})

describe("output", () => {
  test("--quiet says nothing when all is well", async () => {
    await using folder = await temporaryFolder()
    expect(await sessile(["convert", sample, "a.db", "--quiet"], { cwd: folder.path })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    })
  })

  test("--report writes what --json prints, whole, and for its owner only", async () => {
    await using folder = await temporaryFolder()
    const { stdout } = await sessile(["convert", sample, "a.db", "--json", "--report", "report.json"], {
      cwd: folder.path,
    })
    const path = join(folder.path, "report.json")
    expect(await readFile(path, "utf8")).toBe(stdout)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder.path)).sort()).toEqual(["a.db", "report.json"])
  })

  test("a failure with --json is JSON on stdout, and words on stderr", async () => {
    await using folder = await temporaryFolder()
    const { code, stdout, stderr } = await sessile(["convert", "missing", "a.db", "--json"], {
      cwd: folder.path,
    })
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      command: "convert",
      error: { code: "NOT_FOUND", exitCode: 3 },
    })
    expect(stderr).toContain("missing")
  })

  test("other files in the tree are named, and left alone", async () => {
    await using data = await copyFixture("v1.1.65")
    await using folder = await temporaryFolder()
    await writeFile(join(data.path, "storage", "session", ".DS_Store"), "x")
    const { code, stdout } = await sessile(["convert", data.path, "a.db", "--json"], { cwd: folder.path })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).others).toEqual([
      { path: join(data.path, "storage", "session", ".DS_Store"), reason: expect.any(String) },
    ])
  })
})

test("a corrupt target has exit code 5, and stays as it is", async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, "a.db"), "no database")
  const { code, stderr } = await sessile(["convert", sample, "sqlite:a.db"], { cwd: folder.path })
  expect(code).toBe(5)
  expect(stderr).toContain(join(folder.path, "a.db"))
  expect(await readFile(join(folder.path, "a.db"), "utf8")).toBe("no database")
})

test("a folder without permission has exit code 1 and says what to do", async ({ skip }) => {
  skip(process.getuid?.() === 0, "nothing is denied to root")
  await using folder = await temporaryFolder()
  await chmod(folder.path, 0o500)
  const { code, stderr } = await sessile(["convert", sample, join(folder.path, "a.db")])
  expect(code).toBe(1)
  expect(stderr).toContain("permissions")
})

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")))
}

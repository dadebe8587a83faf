import { execFileSync } from "node:child_process"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { fillStore } from "../testing/many-records.js"
import { inNamespace, mediumObstacle } from "../testing/medium.js"
import { sessile } from "../testing/program.js"
import { damage, sample } from "../testing/sample.js"

const obstacle = await mediumObstacle()
const STACK_TRACE = /^ +at |Error:/m

describe("a path of the wrong sort is refused before anything is made", () => {
  test.each([
    [["--report", "folder"], 2, "--report needs the path of a file"],
    [["--report", "file/report.json"], 1, "Cannot write the report: a file is where a folder is needed"],
    [["--report", "missing/report.json"], 1, "Cannot write the report: no such folder"],
    [["--set-aside", "file"], 2, "--set-aside needs the path of a folder"],
  ])("%j", async (options, expected, message) => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, "folder"))
    await writeFile(join(folder.path, "file"), "")
    const { code, stderr } = await sessile(["convert", sample, "a.db", ...options], { cwd: folder.path })
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(message) })
    expect(stderr).not.toMatch(STACK_TRACE)
    expect((await readdir(folder.path)).sort()).toEqual(["file", "folder"])
  })
})

describe("a folder for temporary files that does not exist is named", () => {
  test.each([
    ["convert", ["convert", sample, "a.db"]],
    ["convert from SQLite", ["convert", "made.db", "json:copy"]],
    ["inspect of LevelDB", ["inspect", "made.level"]],
    ["demo", ["demo"]],
  ])("%s", async (_, command) => {
    await using folder = await temporaryFolder()
    const cwd = folder.path
    await sessile(["convert", sample, "made.db"], { cwd })
    await sessile(["convert", sample, "level:made.level"], { cwd })
    const { code, stderr } = await sessile(command, { cwd, env: { TMPDIR: "/missing/tmp" } })
    expect(stderr).toContain("/missing/tmp")
    expect(stderr).not.toMatch(STACK_TRACE)
    expect(code).toBe(1)
  })
})

describe.skipIf(process.platform === "win32")("FIFOs and devices never hang (skipped on Windows)", () => {
  test.each([
    [["inspect", "fifo"], 1],
    [["inspect", "json:fifo"], 1],
    [["inspect", "sqlite:fifo"], 1],
    [["inspect", "level:fifo"], 1],
    [["inspect", "opencode:fifo"], 1],
    [["inspect", "history:fifo"], 1],
    [["inspect", "/dev/zero"], 1],
    [["convert", "fifo", "a.db"], 1],
    [["convert", sample, "sqlite:fifo"], 1],
    [["convert", sample, "json:fifo"], 1],
    [["convert", sample, "a.db", "--report", "fifo"], 1],
    [["convert", sample, "a.db", "--set-aside", "fifo"], 1],
    [["inspect", "adapter:x", "--adapter", "fifo"], 1],
    [["inspect", "adapter:x", "--adapter", "/dev/zero"], 1],
  ])("%j", async (command, expected) => {
    await using folder = await temporaryFolder()
    execFileSync("mkfifo", [join(folder.path, "fifo")])
    const { code, stderr } = await sessile(command, { cwd: folder.path })
    expect({ code, stderr }).toEqual({
      code: expected,
      stderr: expect.stringContaining("Not a file or folder"),
    })
    expect(await readdir(folder.path)).toEqual(["fifo"])
  })

  test("in a data folder they are no databases, and named where a record should be", async () => {
    await using data = await copyFixture("v1.1.65")
    await using folder = await temporaryFolder()
    for (const name of ["opencode.db", "opencode-x.db"]) execFileSync("mkfifo", [join(data.path, name)])
    execFileSync("rm", [join(data.path, "storage", "migration")])
    execFileSync("mkfifo", [join(data.path, "storage", "migration")])
    const env = { OPENCODE_DATA_DIR: data.path }
    const inspection = await sessile(["inspect"], { env })
    expect(inspection).toMatchObject({ code: 5, stdout: expect.stringContaining("migration: ") })
    expect((await sessile(["convert"], { cwd: folder.path, env })).code).toBe(8)
  })
})

describe.skipIf(obstacle !== undefined)(`on a full disk${obstacle ? ` (skipped: ${obstacle})` : ""}`, () => {
  test.each([
    ["--report", '"json:$1" "sqlite:$2/a.db" --report "$2/disk/report.json"', "disk/report.json"],
    ["--set-aside", '"json:$1" "sqlite:$2/a.db" --set-aside "$2/disk/aside"', "disk/aside"],
    ["TMPDIR", '"json:$1" "sqlite:$2/a.db" --no-verify', "/disk"],
  ])("%s: the message names the path, with the code FULL", async (which, options, path) => {
    await using data = await temporaryFolder()
    await using folder = await temporaryFolder()
    await fillStore(join(data.path, "storage"), 30)
    await damage(join(data.path, "storage"))
    await mkdir(join(folder.path, "disk"))
    const script = `
      mount -t tmpfs -o size=64k none "$2/disk"
      head -c 60k /dev/zero > "$2/disk/filler" || true
      ${which === "TMPDIR" ? 'export TMPDIR="$2/disk"' : ""}
      sessile convert ${options} --json 2>"$2/stderr" || echo "exit $?"
      cat "$2/stderr"`
    const output = await inNamespace(script, [join(data.path, "storage"), folder.path])
    expect(output).toContain('"code": "FULL"')
    expect(output).toContain("no space left")
    expect(output).toContain(path)
    expect(output).not.toMatch(STACK_TRACE)
  })
})

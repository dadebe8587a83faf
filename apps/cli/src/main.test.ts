import { readFile } from "node:fs/promises"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { sessile, sessileInto } from "./testing/program.js"
import { sample } from "./testing/sample.js"

test("without a command it prints help with exit code 2, and nothing on stdout", async () => {
  const { code, stdout, stderr } = await sessile([])
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain("Usage: sessile")
})

test("--version is that of the package", async () => {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"))
  expect(await sessile(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" })
})

test.each([[], ["rescue"], ["convert"], ["verify"], ["inspect"], ["completion"]])(
  "%s --help has examples",
  async (...command) => {
    const { code, stdout, stderr } = await sessile([...command, "--help"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("Usage: sessile")
    expect(stdout).toContain(command.length === 0 ? "Stores:" : "Examples:")
  },
)

test.each([["help"], ["help", "convert"], ["convert", "--help"], ["--version"]])(
  "%s %s has exit code 0 and prints to stdout",
  async (...commandLine) => {
    const { code, stdout, stderr } = await sessile(commandLine)
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).not.toBe("")
  },
)

describe("a usage error with --json is the failure object on stdout", () => {
  test.each<[string[], string | null]>([
    [["convert", "--dryrun", "--json"], "convert"],
    [["convrt", "--json"], null],
    [["--json"], null],
    [["convert", "a", "b", "c", "--json"], "convert"],
    [["convert", "--json", "--since", "yesterday"], "convert"],
    [["convert", "--json", "--on-conflict", "maybe"], "convert"],
    [["verify", "one", "--json"], "verify"],
    [["inspect", "--json", "sqlit:history.db"], "inspect"],
    [["rescue", "here", "--json"], "rescue"],
    [["demo", "here", "--json"], "demo"],
    [["completion", "tcsh", "--json"], "completion"],
  ])("%j", async (commandLine, command) => {
    const { code, stdout, stderr } = await sessile(commandLine)
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      command,
      error: { code: "USAGE", exitCode: 2, message: expect.any(String), advice: expect.any(String) },
    })
    expect(stderr).toContain(JSON.parse(stdout).error.message)
  })
})

describe.skipIf(process.platform !== "linux")(
  "stdout that cannot be written to (skipped where not Linux)",
  () => {
    test.each([["--help"], ["completion", "bash"], ["inspect", sample], ["inspect", sample, "--json"]])(
      "%s %s %s: a full device is named, with exit code 1",
      async (...commandLine) => {
        const run = await sessileInto("/dev/full", commandLine)
        expect(run).toEqual({ code: 1, stderr: expect.stringContaining(STDOUT_FULL) })
        expect(run.stderr).not.toMatch(/^ +at /m)
      },
    )

    test.each([
      ["--help"],
      ["inspect", sample],
      ["inspect", sample, "--json"],
      ["inspect", "/missing", "--json"],
    ])("%s %s %s: a reader that is gone ends it, without a stack trace", async (...commandLine) => {
      const { code, stderr } = await sessileInto("closed pipe", commandLine)
      expect([1, 3]).toContain(code)
      expect(stderr).not.toMatch(/EPIPE|^ +at /m)
    })
  },
)

const STDOUT_FULL = "sessile: Cannot write to stdout: no space left"

describe("a command line that makes no sense has exit code 2 and changes nothing", () => {
  test.each([
    [["convrt"], "Did you mean convert?"],
    [["convert", "--dryrun"], "Did you mean --dry-run?"],
    [["convert", "--on-conflict", "maybe"], "fail, skip, newer, replace"],
    [["convert", "--since", "yesterday"], "2026-01-31"],
    [["convert", "sqlit:history.db"], "json, opencode, sqlite, level, adapter"],
    [["convert", "json:", "a.db"], "path missing after json:"],
    [["convert", "a", "b", "c"], "too many arguments"],
    [
      ["convert", "new-folder"],
      "json:new-folder or opencode:new-folder or sqlite:new-folder or level:new-folder",
    ],
    [["convert", "adapter:x", "a.db"], "--adapter"],
    [["convert", "adapter:x", "a.db", "--adapter", "./missing.js"], "./missing.js"],
    [["rescue", "here"], "too many arguments"],
    [["verify", "one"], "missing required argument"],
    [["completion", "tcsh"], "bash, zsh, fish"],
  ])("%j", async (commandLine, explanation) => {
    const { code, stdout, stderr } = await sessile(commandLine)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(explanation)
  })
})

test("demo converts the sample and verifies it", async () => {
  await using folder = await temporaryFolder()
  const { code, stdout, stderr } = await sessile(["demo"], { env: { TMPDIR: folder.path } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toContain("59 found = 59 written + 0 already there + 0 set aside")
  expect(stdout).toContain("Verified: 59 records")
})

import { readFile } from "node:fs/promises"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { sessile } from "./testing/program.js"

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

describe("a command line that makes no sense has exit code 2 and changes nothing", () => {
  test.each([
    [["convrt"], "Did you mean convert?"],
    [["convert", "--dryrun"], "Did you mean --dry-run?"],
    [["convert", "--on-conflict", "maybe"], "fail, skip, newer, replace"],
    [["convert", "--since", "yesterday"], "2026-01-31"],
    [["convert", "sqlit:history.db"], "json, opencode, sqlite, level, adapter"],
    [["convert", "json:", "a.db"], "lacks the place"],
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

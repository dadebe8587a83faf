import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Command } from "commander"
import { describe, expect, test } from "vitest"
import { createProgram } from "../program.js"
import { completionScript, SHELLS } from "./completion-script.js"

const program = createProgram("1.0.0", () => undefined)

test.each(SHELLS)("%s completes every command, option, choice and kind of store", (shell) => {
  const script = completionScript(shell, program)
  for (const word of ["json:", "sqlite:", "level:", "adapter:", "bash", "zsh", "fish"])
    expect(script).toContain(word)
  for (const command of program.commands) {
    expect(script).toContain(command.name())
    for (const word of optionWords(command))
      expect(script).toContain(word.replace(shell === "fish" ? /^--/ : /^$/, ""))
  }
})

describe("bash offers", () => {
  test.each([
    ["sessile con", ["convert"]],
    ["sessile convert --dr", ["--dry-run"]],
    ["sessile convert --on-conflict ", ["fail", "skip", "newer", "replace"]],
    ["sessile convert sq", ["sqlite:"]],
    ["sessile completion ", ["bash", "zsh", "fish", "--help"]],
  ])("for %j", async (line, expected) => {
    const words = line.split(" ")
    const script = `${completionScript("bash", program)}
COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _sessile
printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd: "/" })
    expect(stdout.trim().split("\n").sort()).toEqual(expected.toSorted())
  })
})

function optionWords(command: Command): string[] {
  return command.options.flatMap(({ long, argChoices }) => [long ?? "", ...(argChoices ?? [])])
}

import { describe, expect, it } from "vitest"
import { parseShellCommand } from "./shell-command.js"

describe("parseShellCommand", () => {
  it.each([
    ["ls -a", ["ls -a"]],
    ["  ls  ", ["ls"]],
    ["ls; id", ["ls", "id"]],
    ["ls | sort && id || true & pwd\nwho", ["ls", "sort", "id", "true", "pwd", "who"]],
    ["git commit -m 'a; b\nc'", ["git commit -m 'a; b\nc'"]],
    ['git commit -m "a | b"', ['git commit -m "a | b"']],
    [String.raw`find . -exec rm {} \;`, [String.raw`find . -exec rm {} \;`]],
    ["make 2>&1 >/dev/null | tail", ["make 2>&1 >/dev/null", "tail"]],
    ['echo "$HOME" $USER', ['echo "$HOME" $USER']],
  ])("splits %j at its operators", (command, expected) => {
    expect(parseShellCommand(command)?.map(({ text }) => text)).toEqual(expected)
  })

  it.each([
    ["command substitution", "ls $(id)"],
    ["command substitution in quotes", 'ls "$(id)"'],
    ["backticks", "ls `id`"],
    ["backticks in quotes", 'ls "`id`"'],
    ["process substitution", "ls <(id)"],
    ["parameters that may run commands", "echo $" + "{x@P}"],
    ["arithmetic", "echo $((a[0]))"],
    ["quotes with escapes", "echo $'a'"],
    ["subshells", "(id)"],
    ["functions", "ls() { id; }"],
    ["redirection to a file", "ls > x"],
    ["redirection from a file", "sh < x"],
    ["redirection to a file that begins like the null device", "ls >/dev/null/../x"],
    ["here documents", "sh <<x\nid\nx"],
    ["comments, in which quotes mean nothing", "ls # '\nid\n'"],
    ["quotes that do not end", "ls 'id"],
    ["a backslash before the end of a line", "ls \\\nid"],
    ["carriage returns", "ls\rid"],
    ["NUL", "ls\0id"],
    ["nothing", "  "],
  ])("does not claim to know what runs with %s", (_, command) => {
    expect(parseShellCommand(command)).toBeUndefined()
  })

  it.each([
    ["rm -r x", true],
    ["/bin/rm -r x", true],
    ["X=1 rm x", true],
    ["$X x", false],
    ['"$X" x', false],
    ["r* x", false],
    ["{rm,x}", false],
    ["then rm x", false],
    ["! rm x", false],
  ])("knows whether the program of %j is written out: %j", (command, expected) => {
    expect(parseShellCommand(command)?.[0]?.isPlain).toBe(expected)
  })
})

import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EventBus } from "../event/event-bus.js"
import type { PermissionAction, PermissionRuleset } from "../model/permission.js"
import { evaluatePermission } from "./evaluate-permission.js"
import { PermissionError } from "./permission-error.js"
import { Permissions } from "./permissions.js"

const action = fc.constantFrom<PermissionAction>("allow", "deny", "ask")
const simple = fc.stringMatching(/^(ls|rm|git)( (-a|x|push)){0,2}$/)
const operator = fc.constantFrom("; ", " | ", " && ", " || ", " & ", "\n")
const pattern = fc.oneof(
  fc.constantFrom("*", "ls *", "rm *", "git *", "git push *", "* x", "??", "ls -a", String.raw`ls \*`),
  simple,
)
const rules = fc.array(
  fc.record({ permission: fc.constantFrom("bash", "*", "b*", "edit"), pattern, action }),
  { maxLength: 6 },
)

describe("random rules and commands", () => {
  it("are decided as a simple model decides, simple command by simple command", () => {
    fc.assert(
      fc.property(
        fc.array(simple, { minLength: 1, maxLength: 4 }),
        operator,
        rules,
        (parts, between, rules) => {
          const decided = evaluatePermission("bash", parts.join(between), rules).action
          expect(decided).toBe(modelDecision(parts, parts.join(between), rules))
        },
      ),
      { numRuns: 5000 },
    )
  })

  it("never allow more with a limit, nor with a rule that denies at the end", async () => {
    const limit = fc.array(rules, { maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(simple, rules, limit, async (command, ruleset, limits) => {
        const alone = await outcome(command, ruleset, [])
        const limited = await outcome(command, ruleset, limits)
        expect(STRICTNESS[limited]).toBeGreaterThanOrEqual(STRICTNESS[alone])
        for (const each of limits) {
          expect(STRICTNESS[limited]).toBeGreaterThanOrEqual(STRICTNESS[await outcome(command, each, [])])
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe("a shell", () => {
  let folder = ""

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "sessile-shell-"))
    mkdirSync(join(folder, "bin"))
    for (const [name, text] of [
      ["ls", "exit 0"],
      ["id", "echo > ran"],
    ] as const) {
      writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(folder, "bin", name), 0o755)
    }
    mkdirSync(join(folder, "cwd"))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("runs nothing but ls, and writes no file, on any command that the rule ls * allows", () => {
    const token = fc.constantFrom(
      ..."ls|id| |;|&|\n|\t|'|\"|\\|$|`|(|)|{|}|<|>|#|!|*|?|x|=|$(id)|`id`|$X|>x|2>&1|>/dev/null|[[|~".split(
        "|",
      ),
      "|",
    )
    const command = fc.array(token, { maxLength: 8 }).map((tokens) => `ls ${tokens.join("")}`)
    const ruleset: PermissionRuleset = [{ permission: "bash", pattern: "ls *", action: "allow" }]
    let allowed = 0
    fc.assert(
      fc.property(command, (command) => {
        if (evaluatePermission("bash", command, ruleset).action !== "allow") return
        allowed++
        runInShell(join(folder, "cwd"), join(folder, "bin"), command)
        expect(readdirSync(join(folder, "cwd"))).toEqual([])
      }),
      { numRuns: 2000, seed: 18 },
    )
    expect(allowed).toBeGreaterThan(50)
  }, 120_000)
})

const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }

/** By definition: the last rule that matches decides about each simple command, and the strictest decision counts. */
function modelDecision(parts: readonly string[], whole: string, rules: PermissionRuleset): PermissionAction {
  const decisions = parts.map((part) => {
    const rule = rules.findLast(({ permission, pattern, action }) => {
      if (!describes(permission, "bash")) return false
      return (
        describes(pattern, part) ||
        (describes(pattern, whole) && (action !== "allow" || isAll(pattern, whole)))
      )
    })
    return rule?.action ?? "ask"
  })
  return decisions.reduce((strict, each) => (STRICTNESS[each] > STRICTNESS[strict] ? each : strict))
}

function isAll(pattern: string, whole: string): boolean {
  return pattern === "*" || pattern === whole
}

function describes(pattern: string, text: string): boolean {
  const source = pattern.replaceAll(/\\?[*?]/g, (token) => ({ "*": ".*", "?": "." })[token] ?? token)
  const optional = pattern.endsWith(" *") ? source.replace(/ \.\*$/, "( .*)?") : source
  return new RegExp(`^${optional}$`, "s").test(text)
}

async function outcome(
  command: string,
  ruleset: PermissionRuleset,
  limits: readonly PermissionRuleset[],
): Promise<PermissionAction> {
  const bus = new EventBus()
  const permissions = new Permissions({ bus })
  let isAsked = false
  bus.subscribe("permission.asked", ({ properties }) => {
    isAsked = true
    return permissions.reply(properties.id, "once")
  })
  try {
    await permissions.ask({ sessionID: "ses_1", permission: "bash", patterns: [command], ruleset, limits })
    return isAsked ? "ask" : "allow"
  } catch (error) {
    if (!PermissionError.is(error, "DENIED")) throw error
    return "deny"
  }
}

function runInShell(cwd: string, path: string, command: string): void {
  try {
    execFileSync("/bin/sh", ["-c", command], { cwd, env: { PATH: path }, stdio: "ignore", timeout: 10_000 })
  } catch (error) {
    // What a shell refuses to run, or an ls that is not there by that name, has done nothing.
    if (typeof (error as { status?: unknown }).status !== "number") throw error
  }
}

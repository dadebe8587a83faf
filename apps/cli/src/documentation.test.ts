import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, fixturePath, temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { createProgram } from "./program.js"
import { sessile } from "./testing/program.js"
import { damage, project } from "./testing/sample.js"

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8")

/** Fields whose own fields are names of kinds, or that have none. */
const OPAQUE = [
  "kinds",
  "key",
  "missing",
  "different",
  "changed",
  "sessions",
  "messages",
  "parts",
  "others",
  "otherDatabases",
  "lost",
  "fields",
  "remarks",
  "unknownTables",
  "unknownColumns",
  "warnings",
  "problems",
  "sourceProblems",
  "losses",
  "conversion",
  "removed",
  "deleted",
  "skippedFiles",
  "damage",
  "blankSessions",
  "sessionsBeforeWrap",
  "listedIn",
  "notListed",
  "filled",
]

test("the README lists the fields of every JSON result, and no others", async () => {
  await using data = await copyFixture("v1.1.65-id-wrap")
  await using folder = await temporaryFolder()
  const cwd = folder.path
  await sessile(["convert", data.path, "a.db"], { cwd })
  await damage(join(data.path, "storage"))
  const file = join(data.path, "storage", "project", `${project}.json`)
  await writeFile(file, JSON.stringify({ id: "stale", worktree: "/", time: { created: 1 } }))

  const json = async (...command: string[]) =>
    JSON.parse((await sessile([...command, "--json"], { cwd })).stdout)
  const replaced = await json("convert", data.path, "a.db", "--on-conflict", "replace")
  // What only a target that cannot hold every form has.
  const rescued = await json("rescue", "--data", fixturePath("v1.1.65"), "--database", "opencode.db", "--yes")
  const completed = await json("convert", fixturePath("v1.0.61"), "opencode.db")
  expect(fieldsOf(rescued)).toEqual(documented("rescue"))
  expect(fieldsOf(replaced, rescued.conversion, completed)).toEqual(documented("convert"))
  expect(fieldsOf(await json("verify", fixturePath("v1.1.65"), "opencode.db"))).toEqual(documented("verify"))
  const inspections = [await json("inspect", data.path), await json("inspect", "opencode.db")]
  expect(fieldsOf(...inspections)).toEqual(documented("inspect"))
  await json("convert", data.path, "level:a")
  expect(fieldsOf(await json("repair", "level:a"))).toEqual(documented("repair"))
})

test("the README lists every command and option", () => {
  for (const command of createProgram("1.0.0", () => undefined).commands) {
    expect(readme).toContain(`sessile ${command.name()}`)
    for (const { long } of command.options) expect(readme).toContain(`\`${long}`)
  }
})

function documented(command: string): string[] {
  const [, table = ""] = readme.split(`<!-- fields: ${command} -->`)
  const [rows = ""] = table.trimStart().split("\n\n")
  return [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, field]) => field as string).sort()
}

/** The paths of all fields, with those that only hold others left out unless they are described on their own. */
function fieldsOf(...values: unknown[]): string[] {
  const fields = new Set<string>()
  for (const value of values) collect(value, "", fields)
  return [...fields].sort()
}

function collect(value: unknown, path: string, fields: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${path}[]`, fields)
    return
  }
  if (typeof value !== "object" || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const field = path === "" ? name : `${path}.${name}`
    const isDescribed = typeof inner !== "object" || inner === null || OPAQUE.includes(name)
    if (isDescribed || DESCRIBED.includes(field)) fields.add(field)
    if (!OPAQUE.includes(name)) collect(inner, field, fields)
  }
}

/** Fields that hold others and are described on their own as well. */
const DESCRIBED = ["verification", "schema", "records", "records[].remarks", "differences", "wrap.at"]

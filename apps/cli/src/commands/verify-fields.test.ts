import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, withSql } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { project } from "../testing/sample.js"

const todos = "ses_e1e7b3eeaffeHsyI3sfsmFre0s"

test("fields that opencode's database cannot hold are named, and the stores are not equal", async () => {
  await using data = await copyFixture("v1.1.65")
  const database = join(data.path, "opencode.db")
  const converted = await sessile(["convert", `json:${data.path}`, database, "--json"])
  expect(JSON.parse(converted.stdout)).toMatchObject({ ledger: { setAside: 0 }, reduced: 1 })
  await edit(join(data.path, "storage", "todo", `${todos}.json`), (list: { id: string }[]) => {
    for (const todo of list) todo.id = `changed-${todo.id}`
  })
  await edit(join(data.path, "storage", "session", project, `${todos}.json`), (session: { time: object }) => {
    Object.assign(session, { mood: "good", time: { ...session.time, slept: 1 } })
  })

  for (const stores of [
    [`json:${data.path}`, database],
    [database, `json:${data.path}`],
  ]) {
    const { code, stdout } = await sessile(["verify", ...stores, "--json"])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ missing: 0, extra: 0, different: 0, reduced: 2 })
    expect(JSON.parse(stdout).differences).toEqual([
      { key: ["session", project, todos], kind: "reduced", fields: ["time.slept", "mood"] },
      { key: ["todo", todos], kind: "reduced", fields: ["0.id", "1.id"] },
    ])
  }
  const { stdout } = await sessile(["verify", `json:${data.path}`, database])
  expect(stdout).toContain("The two stores differ")
  expect(stdout).toContain(`session/${project}/${todos}: time.slept, mood`)
})

test("a project that opencode keeps in another form is no longer the same", async () => {
  await using data = await copyFixture("v1.1.65")
  const database = join(data.path, "opencode.db")
  await sessile(["convert", `json:${data.path}`, database])
  withSql(database, (opened) =>
    opened.exec("UPDATE project SET name = 'Other', time_updated = time_updated + 1"),
  )
  const { code, stdout } = await sessile(["verify", `json:${data.path}`, database, "--json"])
  expect(code).toBe(1)
  expect(JSON.parse(stdout).differences).toContainEqual({
    key: ["project", project],
    kind: "reduced",
    fields: ["name"],
  })
})

test("the marker of the JSON layout is not set aside and not missing in opencode's database", async () => {
  await using data = await copyFixture("v1.1.65")
  await writeFile(join(data.path, "storage", "migration"), "1")
  await using elsewhere = await copyFixture("v1.1.65-id-wrap")
  const database = join(elsewhere.path, "new", "opencode.db")
  const { code, stdout, stderr } = await sessile(["convert", data.path, `opencode:${database}`, "--json"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  const { ledger, records, verification } = JSON.parse(stdout)
  expect(ledger).toMatchObject({ setAside: 0 })
  expect(records).toContainEqual(expect.objectContaining({ key: ["migration"], outcome: "present" }))
  expect(verification).toMatchObject({ missing: [], different: [] })
  const compared = await sessile(["verify", `json:${data.path}`, database, "--json"])
  expect(JSON.parse(compared.stdout)).toMatchObject({ missing: 0, different: 0 })
})

async function edit<T>(path: string, change: (value: T) => void): Promise<void> {
  const value = JSON.parse(await readFile(path, "utf8")) as T
  change(value)
  await writeFile(path, JSON.stringify(value, undefined, 2))
}

import { execFileSync } from "node:child_process"
import { mkdir, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, fixturePath, temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { damage, project, sample } from "../testing/sample.js"

test("a store is described: layout, version, times, counts and projects", async () => {
  const { code, stdout, stderr } = await sessile(["inspect", sample])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toContain("JSON files of opencode 0.7 to 1.1, version 2")
  expect(stdout).toMatch(/session +6 /)
  expect(stdout).toContain(`6  ${project}  /home/dev/code/acme`)
})

test("damage, odd records and orphans are named; titles and paths cannot steer the terminal", async () => {
  await using data = await copyFixture("v1.1.65")
  const storage = join(data.path, "storage")
  const damaged = await damage(storage)
  await writeFile(join(storage, "project", "odd.json"), '{"id":"other","worktree":"/a\\u001b[2J"}')
  const { code, stdout } = await sessile(["inspect", storage])
  expect(code).toBe(5)
  for (const { key } of damaged) expect(stdout).toContain(key.join("/"))
  expect(stdout).toContain("project/odd: The id inside does not match the file name")
  expect(stdout).toContain("/a�[2J")
  expect(stdout).not.toContain("top secret")

  const { anomalies, ...report } = JSON.parse((await sessile(["inspect", storage, "--json"])).stdout)
  expect(report).toMatchObject({ schemaVersion: 1, damaged: 3, odd: 1, version: 2, kind: "json" })
  expect(anomalies.map(({ key }: { key: string[] }) => key)).toEqual(
    expect.arrayContaining([...damaged.map(({ key }) => key), ["project", "odd"]]),
  )
})

test("pipes and links out of the store are named, and nothing waits for them", async () => {
  await using data = await copyFixture("v1.1.65")
  const storage = join(data.path, "storage")
  await rm(join(storage, "migration"))
  for (const name of ["migration", "session/ses_pipe.json"]) execFileSync("mkfifo", [join(storage, name)])
  await symlink("/dev/zero", join(storage, "message", "endless.json"))
  await symlink("/etc", join(storage, "part", "\u001b[2Jout"))
  await symlink("/etc", join(storage, "part", "out"))
  const { code, stdout } = await sessile(["inspect", storage])
  expect(code).toBe(5)
  for (const key of ["migration", "session/ses_pipe", "message/endless"])
    expect(stdout).toContain(`${key}: This is`)
  expect(stdout).toContain("out: a link that leads out of the store")
  expect(stdout).not.toContain("\u001b[2J")
  const { others } = JSON.parse((await sessile(["inspect", storage, "--json"])).stdout)
  expect(others).toContainEqual({
    path: join(storage, "part", "out"),
    reason: "a link that leads out of the store",
  })
})

test("ids from both sides of a wrap are told, with the sessions across it", async () => {
  const wrapped = fixturePath("v1.1.65-id-wrap")
  const { stdout } = await sessile(["inspect", wrapped])
  expect(stdout).toContain("2026-08-14T11:19:55.136Z")
  const { wrap, oldest } = JSON.parse((await sessile(["inspect", wrapped, "--json"])).stdout)
  expect(wrap).toEqual({
    straddles: true,
    at: ["2026-08-14T11:19:55.136Z"],
    sessions: ["ses_00002a876ffeK9w2x6HfnEOwMf"],
    sessionsBefore: expect.any(Number),
    notice: expect.stringContaining("needs opencode 1.18.15 or later"),
  })
  expect(wrap.sessionsBefore).toBeGreaterThan(0)
  expect(stdout).toContain(wrap.notice)
  expect(oldest).toMatch(/^2026-08-14T11:1\d:/)
})

test("a store without messages from before the wrap needs no particular release of opencode", async () => {
  await using folder = await temporaryFolder()
  const messages = join(folder.path, "storage", "message", "ses_a")
  await mkdir(messages, { recursive: true })
  await writeFile(
    join(messages, "msg_a.json"),
    JSON.stringify({ id: "msg_a", time: { created: Date.now() } }),
  )
  const { stdout } = await sessile(["inspect", folder.path, "--json"])
  expect(JSON.parse(stdout).wrap).toMatchObject({ sessionsBefore: 0, notice: null })
})

test("a database tells its schema version", async () => {
  await using folder = await temporaryFolder()
  await sessile(["convert", sample, "a.db"], { cwd: folder.path })
  const { stdout } = await sessile(["inspect", "a.db"], { cwd: folder.path })
  expect(stdout).toContain("SQLite database of Sessile, version 1")
})

import { cp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { project, sample } from "../testing/sample.js"

test("equal stores have exit code 0, whatever their kinds", async () => {
  await using folder = await temporaryFolder()
  await sessile(["convert", sample, "a.db"], { cwd: folder.path })
  const { code, stdout, stderr } = await sessile(["verify", sample, "a.db"], { cwd: folder.path })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toContain("59 records the same, 0 missing, 0 extra, 0 different")
})

test("differences are named, with exit code 1", async () => {
  await using folder = await temporaryFolder()
  const storage = join(folder.path, "storage")
  await cp(join(sample, "storage"), storage, { recursive: true })
  await rm(join(storage, "todo"), { recursive: true })
  await writeFile(join(storage, "project", `${project}.json`), "{}")
  await writeFile(join(storage, "project", "other.json"), "{}")

  const differences = [
    { key: ["project", project], kind: "different" },
    { key: ["project", "other"], kind: "extra" },
    { key: ["todo", "ses_e1e7b3eeaffeHsyI3sfsmFre0s"], kind: "missing" },
  ]
  const json = await sessile(["verify", sample, storage, "--json"])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toEqual({
    schemaVersion: 1,
    command: "verify",
    a: `json:${sample}`,
    b: `json:${storage}`,
    finished: true,
    equal: 57,
    missing: 1,
    extra: 1,
    different: 1,
    reduced: 0,
    differences,
    problems: { a: [], b: [] },
  })
  const { stdout } = await sessile(["verify", sample, storage])
  for (const { key } of differences) expect(stdout).toContain(key.join("/"))
  expect(await sessile(["verify", sample, storage, "--quiet"])).toEqual({ code: 1, stdout: "", stderr: "" })
})

test("a store that is not there has exit code 3", async () => {
  expect(await sessile(["verify", sample, "/nowhere/history.db"])).toMatchObject({ code: 3, stdout: "" })
})

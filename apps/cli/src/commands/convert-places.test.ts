import { link, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { sample } from "../testing/sample.js"
import { stateOf } from "../testing/tree.js"

describe("what would write into the source is refused, and makes nothing", () => {
  test.each<[string, string[], string]>([
    ["the source itself", ["json:storage", "json:storage"], "is the source itself"],
    ["the source through a link", ["json:storage", "json:link"], "is the source itself"],
    ["a file in the source", ["json:storage", "storage/history.db"], "inside the source"],
    ["a file in the data folder", [".", "history.db"], "inside the source"],
    ["a folder behind a link", ["json:storage", "sqlite:link/new/history.db"], "inside the source"],
    ["a folder around the source", ["json:storage", "json:."], "is inside the target"],
    [
      "a report in the source",
      ["json:storage", "a.db", "--report", "storage/report.json"],
      "inside the source",
    ],
    [
      "what is set aside in the source",
      ["json:storage", "a.db", "--set-aside", "storage/aside"],
      "inside the source",
    ],
  ])("%s", async (_, places, explanation) => {
    await using data = await copyFixture("v1.1.65-id-wrap")
    await symlink("storage", join(data.path, "link"))
    const before = await stateOf(data.path)
    const { code, stdout, stderr } = await sessile(["convert", ...places], { cwd: data.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(explanation)
    expect(await stateOf(data.path)).toEqual(before)
  })

  test("the same database by another name", async () => {
    await using folder = await temporaryFolder()
    const cwd = folder.path
    await sessile(["convert", sample, "a.db"], { cwd })
    await link(join(cwd, "a.db"), join(cwd, "b.db"))
    const { code, stderr } = await sessile(["convert", "a.db", "b.db"], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain("is the source itself")
  })

  test("a report in place of the target", async () => {
    await using folder = await temporaryFolder()
    const { code } = await sessile(["convert", sample, "a.db", "--report", "a.db"], { cwd: folder.path })
    expect(code).toBe(2)
    expect(await readdir(folder.path)).toEqual([])
  })
})

describe("a target of the wrong sort is refused, and stays as it is", () => {
  test.each([
    ["sqlite:folder", 1, "is a folder"],
    ["json:file", 1, "is a folder, and this is not one"],
    ["level:file", 1, "folder"],
    ["file", 1, "does not look like a store"],
    ["folder", 1, "does not look like a store"],
    ["empty", 2, "Unknown kind of store for empty; write json:empty"],
  ])("%s", async (target, expected, explanation) => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, "folder", "photos"), { recursive: true })
    await mkdir(join(folder.path, "empty"))
    await writeFile(join(folder.path, "file"), "Dear diary")
    const before = await stateOf(folder.path)
    const { code, stderr } = await sessile(["convert", sample, target], { cwd: folder.path })
    expect(code).toBe(expected)
    expect(stderr).toContain(explanation)
    expect(await stateOf(folder.path)).toEqual(before)
  })
})

test("a data folder as target gets the records into its storage", async () => {
  await using data = await copyFixture("v0.5.29")
  const { code } = await sessile(["convert", sample, `json:${data.path}`])
  expect(code).toBe(0)
  expect((await readdir(data.path)).sort()).toEqual(["project", "storage"])
  expect(await readFile(join(data.path, "storage", "migration"), "utf8")).toBe("2")
})

test("a locked target has exit code 7, says what to do, and loses nothing", async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  await sessile(["convert", sample, "level:history"], { cwd })
  const { LevelStorage } = await import("@sessile/storage-level")
  await using _holder = await LevelStorage.open({ path: join(cwd, "history") })
  const { code, stderr } = await sessile(["convert", sample, "level:history"], { cwd })
  expect(code).toBe(7)
  expect(stderr).toContain("run the same command again")
})

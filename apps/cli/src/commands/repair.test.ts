import { readdir, readFile, truncate } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { sample } from "../testing/sample.js"
import { filesOf } from "../testing/tree.js"

test("a damaged LevelDB store names the command that repairs it, which brings all records back", async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  await sessile(["convert", sample, "level:history"], { cwd })
  const manifest = (await readdir(join(cwd, "history"))).find((name) => name.startsWith("MANIFEST-")) ?? ""
  const path = join(cwd, "history", manifest)
  await truncate(path, (await readFile(path)).length - 60)
  const damaged = await filesOf(join(cwd, "history"))

  const inspection = await sessile(["inspect", "level:history"], { cwd })
  expect(inspection.code).toBe(5)
  expect(inspection.stderr).toContain(`run: sessile repair level:${join(cwd, "history")}`)
  expect(inspection.stderr).not.toContain("LevelStorage")

  const repaired = await sessile(["repair", "level:history", "--json"], { cwd })
  expect(repaired.code).toBe(0)
  const { copy, records, losses } = JSON.parse(repaired.stdout)
  expect({ records, losses }).toEqual({ records: 59, losses: [] })
  expect(await filesOf(copy)).toEqual(damaged)
  expect((await sessile(["verify", sample, "level:history"], { cwd })).code).toBe(0)
})

test("a store that cannot be repaired in place is refused, with the command that copies what is left", async () => {
  await using folder = await temporaryFolder()
  await sessile(["convert", sample, "history.db"], { cwd: folder.path })
  const { code, stderr } = await sessile(["repair", "history.db"], { cwd: folder.path })
  expect(code).toBe(2)
  expect(stderr).toContain(`sessile convert sqlite:${join(folder.path, "history.db")} NEW.db`)
  expect(await readdir(folder.path)).toEqual(["history.db"])
})

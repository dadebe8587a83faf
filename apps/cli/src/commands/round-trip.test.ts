import { cp } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, type FixtureName, temporaryFolder } from "@sessile/fixtures"
import { migrate } from "@sessile/storage-json"
import { describe, expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { sample } from "../testing/sample.js"
import { filesOf, stateOf } from "../testing/tree.js"

describe.each<FixtureName>(["v1.0.61", "v1.1.65", "v1.1.65-id-wrap"])("the store of %s", (name) => {
  test.each([[["sqlite:a.db", "json:b"]], [["level:a", "sqlite:b.db", "json:c"]]])(
    "comes back byte for byte by way of %j, and no store on the way is touched",
    async (ways) => {
      await using data = await copyFixture(name)
      await using folder = await temporaryFolder()
      const cwd = folder.path
      let source = `json:${data.path}`
      for (const target of ways) {
        const root = source.startsWith("json:") ? data.path : join(cwd, source.slice(source.indexOf(":") + 1))
        const before = source.startsWith("sqlite:") ? await stateOf(cwd) : await stateOf(root)
        const { code, stderr } = await sessile(["convert", source, target, "--strict"], { cwd })
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
        if (source.startsWith("json:")) expect(await stateOf(root)).toEqual(before)
        source = target
      }
      const back = join(cwd, source.slice("json:".length))
      expect(await filesOf(back)).toEqual(await filesOf(join(data.path, "storage")))
    },
  )
})

test("nothing of a source changes: not a byte, a time, a mode or a name, whatever kind it is", async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  await cp(sample, join(cwd, "json"), { recursive: true })
  await sessile(["convert", "json:json", "sqlite:sqlite/history.db"], { cwd })
  await sessile(["convert", "json:json", "level:level"], { cwd })
  for (const source of ["json:json", "sqlite:sqlite/history.db", "level:level"]) {
    const root = join(cwd, source.slice(0, source.indexOf(":")))
    const before = await stateOf(root)
    for (const command of [
      ["convert", source, "out.db"],
      ["inspect", source],
      ["verify", source, "json:json"],
    ]) {
      expect((await sessile(command, { cwd })).code).toBe(0)
    }
    expect(await stateOf(root)).toEqual(before)
  }
})

describe("the legacy layout", () => {
  test("is brought up on the fly, as a migration would, and stays as it is", async () => {
    await using data = await copyFixture("v0.5.29")
    await using folder = await temporaryFolder()
    const before = await stateOf(data.path)
    const run = await sessile(["convert", data.path, "a.db"], { cwd: folder.path })
    expect(run).toMatchObject({ code: 0, stderr: "" })
    await sessile(["convert", "a.db", "json:back"], { cwd: folder.path })
    expect(await stateOf(data.path)).toEqual(before)
    await migrate({ path: join(data.path, "storage") })
    expect(await filesOf(join(folder.path, "back"))).toEqual(await filesOf(join(data.path, "storage")))
  })

  test("completes a data folder that opencode migrated in part", async () => {
    await using data = await copyFixture("v0.5.29")
    await using folder = await temporaryFolder()
    await cp(join(sample, "storage"), join(data.path, "storage"), { recursive: true })
    const { code, stdout } = await sessile(["convert", data.path, "a.db", "--json"], { cwd: folder.path })
    expect(code).toBe(0)
    const { kinds, ledger } = JSON.parse(stdout)
    // The sample has 6 sessions of one project; the legacy layout has 9 of folders that are gone, which go to `global`.
    expect(kinds).toMatchObject({ project: { records: 2 }, session: { records: 15 } })
    expect(ledger.found).toBe(59 + 85)
    expect((await sessile(["verify", data.path, "a.db"], { cwd: folder.path })).code).toBe(0)
  })

  test("does not bring a session twice that opencode has migrated", async () => {
    await using data = await copyFixture("v0.5.29")
    await using folder = await temporaryFolder()
    await migrate({ path: join(data.path, "storage") })
    const { stdout } = await sessile(["convert", data.path, "a.db", "--json"], { cwd: folder.path })
    expect(JSON.parse(stdout).ledger).toEqual({ found: 86, written: 86, present: 0, setAside: 0 })
  })
})

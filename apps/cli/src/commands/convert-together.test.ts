import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { fillStore } from "../testing/many-records.js"
import { sessile } from "../testing/program.js"

describe("two conversions into one target at once", () => {
  test.each(["sqlite", "json"])("of the same source share the work: %s", async (kind) => {
    await using folder = await temporaryFolder()
    const found = await fillStore(join(folder.path, "source"), 20)
    const commandLine = [
      "convert",
      `json:${join(folder.path, "source")}`,
      `${kind}:${join(folder.path, "target")}`,
      "--json",
    ]
    const runs = await Promise.all([sessile(commandLine), sessile(commandLine)])
    const reports = runs.map(({ code, stdout }) => ({ code, ...JSON.parse(stdout) }))
    for (const report of reports) {
      expect(report).toMatchObject({ code: 0, balanced: true, ledger: { found, setAside: 0 } })
      expect(report.verification).toMatchObject({ compared: found, missing: [], different: [] })
    }
    expect(reports[0].ledger.written + reports[1].ledger.written).toBe(found)
  })

  test("into LevelDB: one does it, and the other says at once that the target is locked", async () => {
    await using folder = await temporaryFolder()
    await fillStore(join(folder.path, "source"), 60)
    const commandLine = [
      "convert",
      `json:${join(folder.path, "source")}`,
      `level:${join(folder.path, "target")}`,
    ]
    const runs = await Promise.all([sessile(commandLine), sessile(commandLine)])
    const codes = runs.map(({ code }) => code).sort()
    // The one that comes later may also find that the other is through already.
    expect([
      [0, 7],
      [0, 0],
    ]).toContainEqual(codes)
    expect((await sessile(commandLine)).code).toBe(0)
  })

  test("of sources that contradict each other: no record is replaced, and whoever comes second says so", async () => {
    await using folder = await temporaryFolder()
    const sources = ["a", "b"].map((name) => join(folder.path, name))
    for (const source of sources) {
      await fillStore(source, 20)
      await writeFile(join(source, "project", "p.json"), JSON.stringify({ id: "p", worktree: source }))
    }
    const target = `sqlite:${join(folder.path, "target.db")}`
    const runs = await Promise.all(
      sources.map((source) => sessile(["convert", `json:${source}`, target, "--on-conflict", "fail"])),
    )
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1])
    const winner = sources[runs.findIndex(({ code }) => code === 0)]
    expect((await sessile(["verify", `json:${winner}`, target])).code).toBe(0)
    expect(runs.find(({ code }) => code === 1)?.stderr).toContain("project/p")
  })
})

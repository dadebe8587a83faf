import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { leadsInside, pathTarget } from "./path-target.js"

let top = ""
let folder = ""

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "sessile-path-")))
  folder = join(top, "work")
  await mkdir(join(folder, "src", "inner"), { recursive: true })
  await mkdir(join(top, "etc", "deep"), { recursive: true })
  await writeFile(join(folder, "src", "a.ts"), "")
  await writeFile(join(top, "etc", "shadow"), "")
  await symlink(join(top, "etc"), join(folder, "src", "out"))
  await symlink(join(top, "etc", "new"), join(folder, "src", "dangling"))
  await symlink("loop", join(folder, "src", "loop"))
  await symlink(join(top, "etc", "deep"), join(folder, "src", "deep"))
  await symlink(folder, join(top, "alias"))
})

afterAll(() => rm(top, { recursive: true, force: true }))

describe("a path", () => {
  it.each([
    ["src/a.ts", "src/*", "all"],
    ["./src//a.ts", "src/*", "all"],
    ["src/inner/../a.ts", "src/a.ts", "all"],
    ["src/new/b.ts", "src/*", "all"],
    ["src/a.ts", "*.ts", "all"],
    ["src/a.ts", "./src/*", "all"],
    ["src/../../etc/shadow", "src/*", "none"],
    ["../etc/shadow", "../etc/*", "all"],
    ["../etc/shadow", "*", "all"],
    ["src/out/shadow", "src/*", "some"],
    ["src/out/new/file", "src/*", "some"],
    ["src/dangling", "src/*", "some"],
    ["src/deep/../shadow", "src/*", "some"],
    ["src/loop", "src/*", "some"],
    ["src/loop", "docs/*", "unknown"],
    ["src/a\0b", "src/*", "some"],
    ["docs/a.md", "src/*", "none"],
  ])("%j against %j: %s", (path, pattern, expected) => {
    expect(pathTarget(path, folder).overlap(pattern)).toBe(expected)
  })

  it("is described by absolute patterns too, inside and outside", () => {
    expect(pathTarget("src/a.ts", folder).overlap(`${folder}/src/*`)).toBe("all")
    expect(pathTarget("src/out/shadow", folder).overlap(`${folder}/src/*`)).toBe("some")
    expect(pathTarget("src/out/shadow", folder).overlap(`${top}/etc/*`)).toBe("all")
    expect(pathTarget(join(folder, "src/a.ts"), folder).overlap("src/*")).toBe("all")
  })

  it("is found where the folder or the rule is spelled by a link to it", () => {
    const alias = join(top, "alias")
    expect(pathTarget("src/a.ts", alias).overlap("src/*")).toBe("all")
    expect(pathTarget("src/a.ts", folder).overlap(`${alias}/src/*`)).toBe("all")
    expect(pathTarget("src/out/shadow", alias).overlap(`${folder}/src/*`)).toBe("some")
  })

  it("is shown as where it leads", () => {
    expect(pathTarget("./src/inner/../a.ts", folder).texts).toEqual(["src/a.ts"])
    expect(pathTarget("src/out/shadow", folder).texts).toEqual([join(top, "etc", "shadow")])
    expect(pathTarget(".", folder).texts).toEqual(["."])
  })

  it("is shown twice when a link before .. makes it ambiguous", () => {
    expect(pathTarget("src/deep/../shadow", folder).texts).toEqual(["src/shadow", join(top, "etc", "shadow")])
  })

  it.skipIf(process.platform === "win32")("of Windows is described whatever its slashes and case", () => {
    // On other systems such a path is a name, which is enough to see the spelling of patterns.
    expect(pathTarget("C:/Dev/x", "/").overlap(String.raw`c:\dev\*`)).toBe("all")
  })
})

describe("leadsInside", () => {
  it.each([
    ["src/a.ts", true],
    [".", true],
    ["new/file", true],
    ["..", false],
    ["../work2", false],
    ["src/out/shadow", false],
    ["src/dangling", false],
    ["src/loop", false],
  ])("%j: %j", (path, expected) => {
    expect(leadsInside(folder, path)).toBe(expected)
  })
})

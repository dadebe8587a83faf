import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { emptyRepository } from "../project/testing/repository.js"
import type { GitSnapshots } from "./git-snapshots.js"
import { strangeNames } from "./testing/strange-names.js"
import { Worktree } from "./testing/worktree.js"

// Every step starts several processes.
vi.setConfig({ testTimeout: 60_000 })

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
const UNKNOWN = "0123456789012345678901234567890123456789"
let worktree: Worktree
let snapshots: GitSnapshots

beforeEach(async () => {
  worktree = await Worktree.create()
  snapshots = await worktree.open()
})

afterEach(() => worktree[Symbol.asyncDispose]())

describe("revert", () => {
  it("takes back the named files alone, and deletes those that were not there", async () => {
    await worktree.write("changed", "1")
    await worktree.write("deleted", "1")
    await worktree.write("other", "1")
    const hash = await snapshots.track()
    await worktree.write("changed", "2")
    await worktree.remove("deleted")
    await worktree.write("new/added", "2")
    await worktree.write("other", "2")
    await worktree.write("new other", "2")
    await snapshots.revert([
      { hash, files: worktree.absolute("changed", "deleted", "new/added", "never there") },
    ])
    expect(await worktree.files()).toEqual({
      changed: "file 1",
      deleted: "file 1",
      other: "file 2",
      "new other": "file 2",
    })
    expect(await readdir(worktree.path)).not.toContain("new")
  })

  it("takes each file back to the first patch that names it", async () => {
    await worktree.write("a", "1")
    const first = await snapshots.track()
    await worktree.write("a", "2")
    await worktree.write("b", "2")
    const patch = await snapshots.patch(first)
    const second = await snapshots.track()
    await worktree.write("a", "3")
    await worktree.write("c", "3")
    await snapshots.revert([{ ...patch, files: worktree.absolute("a") }, await snapshots.patch(second)])
    expect(await worktree.files()).toEqual({ a: "file 1", b: "file 2" })
  })

  it("takes any file name, also relative ones and those that git has quoted", async () => {
    for (const name of strangeNames) await worktree.write(name, "1")
    const hash = await snapshots.track()
    for (const name of strangeNames) await worktree.write(name, "2")
    const quoted = '"caf\\303\\251/\\346\\227\\245\\346\\234\\254 \\360\\237\\230\\200"'
    const others = strangeNames.filter((name) => !name.startsWith("café"))
    await snapshots.revert([{ hash, files: [...worktree.absolute(quoted), ...others] }])
    expect(new Set(Object.values(await worktree.files()))).toEqual(new Set(["file 1"]))
  })

  // Other systems have no such names.
  it.runIf(process.platform === "linux")("takes names that are not UTF-8", async () => {
    const name = Buffer.concat([Buffer.from(`${worktree.path}/latin-`), Buffer.from([0xe9])])
    await writeFile(name, "1")
    const hash = await snapshots.track()
    await writeFile(name, "2")
    await snapshots.revert([await snapshots.patch(hash)])
    expect(await readFile(name, "utf8")).toBe("1")
  })

  it("takes back a folder that became a file, and a file that became a folder", async () => {
    await worktree.write("a/x", "1")
    await worktree.write("b", "1")
    const hash = await snapshots.track()
    const before = await worktree.files()
    await worktree.remove("a", "b")
    await worktree.write("a", "2")
    await worktree.write("b/x", "2")
    await snapshots.revert([await snapshots.patch(hash)])
    expect(await worktree.files()).toEqual(before)
  })

  it("changes nothing when a file that is not named is in the way", async () => {
    await worktree.write("a", "1")
    await worktree.write("b", "1")
    const hash = await snapshots.track()
    await worktree.remove("a")
    await worktree.write("a/mine", "2")
    await worktree.write("b", "2")
    const before = await worktree.files()
    const obstructed = { code: "OBSTRUCTED", message: expect.stringContaining("a/mine") }
    await expect(snapshots.revert([{ hash, files: ["b", "a"] }])).rejects.toMatchObject(obstructed)
    expect(await worktree.files()).toEqual(before)
  })

  it("changes nothing when an ignored file is in the way", async () => {
    await worktree.write(".gitignore", "ignored\n")
    await worktree.write("a", "1")
    const hash = await snapshots.track()
    await worktree.remove("a")
    await worktree.write("a/ignored", "precious")
    const before = await worktree.files()
    const obstructed = { code: "OBSTRUCTED", message: expect.stringContaining("a/ignored") }
    await expect(snapshots.revert([{ hash, files: ["a"] }])).rejects.toMatchObject(obstructed)
    await expect(snapshots.restore(hash)).rejects.toMatchObject(obstructed)
    expect(await worktree.files()).toEqual(before)
  })

  it.each(["../outside", "/outside", "a/../../outside"])("refuses %s, which lies outside", async (file) => {
    await expect(snapshots.revert([{ hash: EMPTY_TREE, files: [file] }])).rejects.toMatchObject({
      code: "OUTSIDE",
    })
  })

  it("deletes nothing that snapshots do not cover, whatever a patch names", async () => {
    await emptyRepository(join(worktree.path, "nested"))
    await mkdir(join(worktree.path, "..", "elsewhere"))
    await worktree.write("../elsewhere/x", "x")
    await symlink("../elsewhere", join(worktree.path, "link"))
    await worktree.write("nested/x", "x")
    await worktree.write(".gitignore", "ignored\n")
    await worktree.write("ignored", "x")
    const hash = await snapshots.track()
    const before = await worktree.files()
    await snapshots.revert([
      { hash, files: [".git/HEAD", "nested/x", "nested/.git/HEAD", "ignored", "link/x", ".", ""] },
      { hash: EMPTY_TREE, files: [".git/config", "link/x", "nested/x"] },
    ])
    expect(await worktree.files()).toEqual(before)
    expect(await worktree.read("../elsewhere/x")).toBe("x")
    expect(await worktree.read(".git/HEAD")).toContain("ref:")
    expect(await worktree.read("nested/.git/HEAD")).toContain("ref:")
  })

  it("does nothing without patches", async () => {
    await snapshots.revert([])
    await snapshots.revert([{ hash: UNKNOWN, files: [] }])
    expect(await worktree.files()).toEqual({})
  })
})

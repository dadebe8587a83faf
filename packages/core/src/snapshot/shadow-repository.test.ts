import { readFile, stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ShadowRepository } from "./shadow-repository.js"
import { Worktree } from "./testing/worktree.js"

let worktree: Worktree
let shadow: ShadowRepository

beforeEach(async () => {
  worktree = await Worktree.create()
  shadow = await ShadowRepository.open(worktree.path, worktree.folder)
})

afterEach(() => worktree[Symbol.asyncDispose]())

describe("withIndex", () => {
  it("gives an index that is not younger than the one kept, so that git trusts no file too much", async () => {
    await shadow.withIndex(async () => undefined)
    await utimes(join(worktree.folder, "index"), 1000, 1000.0009)
    const { mtimeMs } = await shadow.withIndex((index) => stat(index))
    expect(mtimeMs).toBe(1_000_000)
  })

  it("keeps the index only when the action succeeds", async () => {
    await worktree.write("a", "1")
    await shadow.withIndex(async () => undefined)
    const before = await readFile(join(worktree.folder, "index"))
    const failing = shadow.withIndex(async (index) => {
      await shadow.run(["add", "--all"], { index })
      expect(await readFile(index)).not.toEqual(before)
      throw new Error("failed")
    })
    await expect(failing).rejects.toThrow("failed")
    expect(await readFile(join(worktree.folder, "index"))).toEqual(before)
  })
})

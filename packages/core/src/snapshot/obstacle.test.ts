import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { findObstacle } from "./obstacle.js"
import { Worktree } from "./testing/worktree.js"
import type { Change } from "./tree-changes.js"

let worktree: Worktree

beforeEach(async () => {
  worktree = await Worktree.create()
})

afterEach(() => worktree[Symbol.asyncDispose]())

describe("findObstacle", () => {
  it("sees a file or a link in the place of a file, above it, and in a folder in its place", async () => {
    await worktree.write("file", "")
    await worktree.write("café/deep/file", "")
    await symlink("nowhere", join(worktree.path, "link"))
    expect(find({ added: ["file"] })).toBe("file")
    expect(find({ added: ["new", "file/below/it"] })).toBe("file")
    expect(find({ added: ["link/below"] })).toBe("link")
    expect(find({ added: ["café"] })).toBe("café/deep/file")
  })

  it("sees none where there is nothing, an empty folder, or what leaves", async () => {
    await worktree.write("file", "")
    await worktree.write("folder/a", "")
    await worktree.write("folder/b/c", "")
    await mkdir(join(worktree.path, "empty", "deep"), { recursive: true })
    expect(find({ added: ["new", "folder/new", "empty"] })).toBeUndefined()
    expect(find({ added: ["file/x"], deleted: ["file"] })).toBeUndefined()
    expect(find({ added: ["FILE"], deleted: ["file"] })).toBeUndefined()
    expect(find({ added: ["folder"], deleted: ["folder/a", "folder/b/c"] })).toBeUndefined()
    expect(find({ added: ["folder"], deleted: ["folder/a"] })).toBe("folder/b/c")
  })
})

function find(files: Partial<Record<Change["status"], string[]>>): string | undefined {
  const blob = { mode: "100644", hash: "" }
  const changes = Object.entries(files).flatMap(([status, names]) =>
    names.map((file) => ({
      file,
      name: Buffer.from(file).toString("latin1"),
      status: status as Change["status"],
      before: blob,
      after: blob,
      lines: undefined,
    })),
  )
  return findObstacle(worktree.path, changes)
}

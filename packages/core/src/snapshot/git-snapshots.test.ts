import { readdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { commit, emptyRepository, git, repository } from "../project/testing/repository.js"
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

afterEach(async () => {
  vi.unstubAllEnvs()
  await worktree[Symbol.asyncDispose]()
})

describe("track", () => {
  it("gives equal states equal hashes, and others others, from the empty repository on", async () => {
    expect(await snapshots.track()).toBe(EMPTY_TREE)
    await worktree.write("a", "1")
    const first = await snapshots.track()
    expect(await snapshots.track()).toBe(first)
    await worktree.write("a", "2")
    expect(await snapshots.track()).not.toBe(first)
    await worktree.write("a", "1")
    expect(await snapshots.track()).toBe(first)
    await worktree.remove("a")
    expect(await snapshots.track()).toBe(EMPTY_TREE)
  })

  it("sees a change that keeps the size, however soon it comes", async () => {
    const hashes = new Set<string>()
    for (let round = 0; round < 10; round++) {
      await worktree.write("a", String(round))
      hashes.add(await snapshots.track())
    }
    expect(hashes.size).toBe(10)
  })

  it("goes on where an earlier one stopped", async () => {
    await worktree.write("a", "1")
    const hash = await snapshots.track()
    const reopened = await worktree.open()
    expect(await reopened.track()).toBe(hash)
    await worktree.write("a", "2")
    expect(await reopened.patch(hash)).toEqual({ hash, files: worktree.absolute("a") })
  })

  it("leaves out what git ignores, wherever that is written", async () => {
    await worktree.write(".gitignore", "build/\n*.log\n")
    await worktree.write("sub/.gitignore", "secret\n")
    await worktree.write(".git/info/exclude", "mine\n")
    const settings = join(worktree.path, ".git", "user settings")
    await worktree.write(
      ".git/user settings",
      `[core]\nexcludesFile = ${join(worktree.path, ".git", "ignore")}\n`,
    )
    await worktree.write(".git/ignore", "everywhere\n")
    vi.stubEnv("GIT_CONFIG_GLOBAL", settings)
    snapshots = await worktree.open()
    const before = await snapshots.track()
    for (const file of ["build/x", "a.log", "sub/secret", "mine", "everywhere"])
      await worktree.write(file, "x")
    await worktree.write("secret", "x")
    expect((await snapshots.patch(before)).files).toEqual(worktree.absolute("secret"))
  })

  it("enters neither submodules nor other repositories, with or without commits", async () => {
    await repository(join(worktree.path, "..", "library"))
    await git(worktree.path, "submodule", "add", join(worktree.path, "..", "library"), "sub module")
    await repository(join(worktree.path, "deep", "nested"))
    await emptyRepository(join(worktree.path, "deep", "café"))
    const before = await snapshots.track()
    for (const folder of ["sub module", "deep/nested", "deep/café"]) await worktree.write(`${folder}/x`, "x")
    await commit(join(worktree.path, "deep", "nested"), "second")
    await worktree.write("deep/own", "x")
    expect((await snapshots.patch(before)).files).toEqual(worktree.absolute("deep/own"))
    await snapshots.restore(before)
    expect(Object.keys(await worktree.files()).toSorted()).toEqual(
      [".gitmodules", "deep/café/x", "deep/nested/x", "sub module/x"].toSorted(),
    )
  })

  it("takes calls at once in turn", async () => {
    await worktree.write("a", "1")
    const hashes = await Promise.all(Array.from({ length: 5 }, () => snapshots.track()))
    expect(new Set(hashes).size).toBe(1)
  })

  it("works for several openers of one folder at once", async () => {
    await worktree.write("a", "1")
    const openers = await Promise.all(Array.from({ length: 5 }, () => worktree.open()))
    const hashes = await Promise.all(openers.map((opener) => opener.track()))
    expect(new Set(hashes).size).toBe(1)
    expect((await readdir(worktree.folder)).filter((name) => name.startsWith("index"))).toEqual(["index"])
  })

  it.skipIf(process.getuid?.() === 0)(
    "leaves out files that cannot be read (root can read all)",
    async () => {
      await worktree.write("a", "1")
      await worktree.write("closed", "1", 0)
      const hash = await snapshots.track()
      expect((await snapshots.diffFull(EMPTY_TREE, hash)).map(({ file }) => file)).toEqual(["a"])
    },
  )
})

describe("patch, diff and diffFull", () => {
  it("tell what was added, changed and deleted, tracked by the user or not", async () => {
    await worktree.write("changed", "1\n2\n3\n")
    await worktree.write("deleted", "1\n2\n")
    await git(worktree.path, "add", "changed")
    await commit(worktree.path, "first")
    const from = await snapshots.track()
    await worktree.write("changed", "1\nzwei\n3\n4\n")
    await worktree.remove("deleted")
    await worktree.write("new/added", "1\n")
    const to = await snapshots.track()

    const expected = [
      {
        file: "changed",
        before: "1\n2\n3\n",
        after: "1\nzwei\n3\n4\n",
        additions: 2,
        deletions: 1,
        status: "modified",
      },
      { file: "deleted", before: "1\n2\n", after: "", additions: 0, deletions: 2, status: "deleted" },
      { file: "new/added", before: "", after: "1\n", additions: 1, deletions: 0, status: "added" },
    ]
    expect(await snapshots.diffFull(from, to)).toEqual(expected)
    expect(await snapshots.diffFull(from)).toEqual(expected)
    expect(await snapshots.patch(from)).toEqual({
      hash: from,
      files: worktree.absolute("changed", "deleted", "new/added"),
    })
    const diff = await snapshots.diff(from, to)
    expect(diff).toContain("--- a/changed\n+++ b/changed\n@@ -1,3 +1,4 @@\n 1\n-2\n+zwei\n 3\n+4\n")
    expect(await snapshots.diff(from)).toBe(diff)
    expect(await snapshots.diffFull(to, to)).toEqual([])
    expect(await snapshots.diff(to, to)).toBe("")
  })

  it("give file names as they are on disk", async () => {
    for (const name of strangeNames) await worktree.write(name, "x\n")
    const diffs = await snapshots.diffFull(EMPTY_TREE)
    expect(diffs.map(({ file }) => file).toSorted()).toEqual(strangeNames.toSorted())
    expect((await snapshots.patch(EMPTY_TREE)).files.toSorted()).toEqual(
      worktree.absolute(...strangeNames).toSorted(),
    )
  })

  it("take a renamed file for one deleted and one added", async () => {
    await worktree.write("old", "1\n2\n3\n")
    const from = await snapshots.track()
    await worktree.remove("old")
    await worktree.write("renamed", "1\n2\n3\n")
    expect((await snapshots.patch(from)).files).toEqual(worktree.absolute("old", "renamed"))
  })

  it("give no contents of binary files, but of all others, whatever .gitattributes says", async () => {
    await worktree.write(".gitattributes", "*.txt binary\n*.lock -diff\n")
    const from = await snapshots.track()
    await worktree.write("image", Buffer.from([0x89, 0, 1, 2, 10, 3]))
    await worktree.write("a.txt", "text\n")
    await worktree.write("b.lock", "text\n")
    const empty = { before: "", status: "added" }
    expect(await snapshots.diffFull(from)).toEqual([
      { ...empty, file: "a.txt", after: "text\n", additions: 1, deletions: 0 },
      { ...empty, file: "b.lock", after: "text\n", additions: 1, deletions: 0 },
      { ...empty, file: "image", after: "", additions: 0, deletions: 0 },
    ])
  })

  it("give the contents of large files, up to 16 MiB", async () => {
    const line = `${"x".repeat(1023)}\n`
    await worktree.write("large", line.repeat(3 * 1024))
    await worktree.write("too large", line.repeat(16 * 1024 + 1))
    const [large, tooLarge] = await snapshots.diffFull(EMPTY_TREE)
    expect(large).toMatchObject({ additions: 3072 })
    expect(large?.after === line.repeat(3 * 1024)).toBe(true)
    expect(tooLarge).toMatchObject({ file: "too large", after: "", additions: 0 })
  })

  it("give the target of a symbolic link, and a mode that alone has changed", async () => {
    await symlink("nowhere", join(worktree.path, "link"))
    await worktree.write("program", "run\n")
    const from = await snapshots.track()
    await worktree.remove("link")
    await symlink("elsewhere", join(worktree.path, "link"))
    await worktree.write("program", "run\n", 0o755)
    expect(await snapshots.diffFull(from)).toMatchObject([
      { file: "link", before: "nowhere", after: "elsewhere", status: "modified" },
      { file: "program", before: "run\n", after: "run\n", additions: 0, deletions: 0, status: "modified" },
    ])
  })

  it.each([UNKNOWN, "HEAD", "", "--output=x", EMPTY_TREE.slice(1)])("do not know %j", async (hash) => {
    const notFound = { name: "SnapshotError", code: "NOT_FOUND" }
    await expect(snapshots.patch(hash)).rejects.toMatchObject(notFound)
    await expect(snapshots.diff(hash)).rejects.toMatchObject(notFound)
    await expect(snapshots.diffFull(EMPTY_TREE, hash)).rejects.toMatchObject(notFound)
    await expect(snapshots.restore(hash)).rejects.toMatchObject(notFound)
    await expect(snapshots.revert([{ hash, files: ["a"] }])).rejects.toMatchObject(notFound)
  })
})

describe("restore", () => {
  it("brings the worktree back byte for byte, and deletes what came later", async () => {
    await worktree.write(
      ".gitattributes",
      "* text=auto eol=lf filter=lost ident\n*.utf16 working-tree-encoding=UTF-16\n",
    )
    await worktree.write(".gitignore", "ignored\n")
    await worktree.write("crlf", "a\r\nb\n$Id$\r\n")
    await worktree.write("a.utf16", Buffer.from("\ufeffhello\n", "utf16le"))
    await worktree.write("binary", Buffer.from([0, 255, 254, 13, 10]))
    await worktree.write("program", "#!/bin/sh\n", 0o755)
    await worktree.write("folder/file", "1")
    await worktree.write("file", "1")
    await symlink("folder", join(worktree.path, "link"))
    for (const name of strangeNames) await worktree.write(`names/${name}`, name)
    const before = await worktree.files()
    const hash = await snapshots.track()

    await worktree.remove("names", "folder", "file", "link", "crlf")
    await worktree.write("folder", "now a file")
    await worktree.write("file/now", "a folder")
    await worktree.write("link/now", "a folder")
    await worktree.write("binary", "other")
    await worktree.write("a.utf16", "other")
    await worktree.write("program", "#!/bin/sh\n", 0o644)
    await worktree.write("later/deep/file", "later")
    await worktree.write("ignored", "kept")
    await snapshots.restore(hash)
    expect(await worktree.files()).toEqual({ ...before, ignored: "file kept" })
    expect(await readdir(worktree.path)).not.toContain("later")
    expect(await snapshots.track()).toBe(hash)
  })

  it("goes back and forth", async () => {
    await worktree.write("a", "1")
    const first = await snapshots.track()
    await worktree.write("a", "2")
    await worktree.write("b", "2")
    const second = await snapshots.track()
    await snapshots.restore(first)
    expect(await worktree.files()).toEqual({ a: "file 1" })
    await snapshots.restore(second)
    expect(await worktree.files()).toEqual({ a: "file 2", b: "file 2" })
    await snapshots.restore(EMPTY_TREE)
    expect(await worktree.files()).toEqual({})
  })

  it("brings back any states, in any order", async () => {
    const name = fc.constantFrom("a", "b", "a/x", "a/y", "c d/é", "-")
    const state = fc.dictionary(name, fc.constantFrom("", "1\n", "1\r\n2", "\0"), { noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(fc.array(state, { minLength: 2, maxLength: 3 }), async (states) => {
        const tracked: { hash: string; files: Record<string, string> }[] = []
        for (const files of states) {
          await worktree.remove(...(await readdir(worktree.path)).filter((entry) => entry !== ".git"))
          // A name cannot be both a file and a folder.
          for (const [file, content] of Object.entries(files)) {
            if (file !== "a" || !Object.keys(files).some((other) => other.startsWith("a/"))) {
              await worktree.write(file, content)
            }
          }
          tracked.push({ hash: await snapshots.track(), files: await worktree.files() })
        }
        for (const { hash, files } of tracked) {
          await snapshots.restore(hash)
          expect(await worktree.files()).toEqual(files)
        }
      }),
      { numRuns: 10 },
    )
  })
})

import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { configurationFolder, foldersBetween, trustBoundary } from "./folders.js"

describe("foldersBetween", () => {
  it.each([
    ["/a/b", "/a/b/c/d", ["/a/b", "/a/b/c", "/a/b/c/d"]],
    ["/a/b", "/a/b", ["/a/b"]],
    ["/a/b/", "/a/b/c/", ["/a/b", "/a/b/c"]],
    ["/", "/a", ["/", "/a"]],
    ["/a/b", "/a/bc", ["/a/bc"]],
    ["/a/b", "/a", ["/a"]],
  ])("goes from %s down to %s", (top, directory, expected) => {
    expect(foldersBetween(top, directory)).toEqual(expected)
  })
})

describe("configurationFolder", () => {
  it.each([
    ["linux", { XDG_CONFIG_HOME: "/x", HOME: "/home/dev" }, "/x/opencode"],
    ["linux", { XDG_CONFIG_HOME: "relative", HOME: "/home/dev" }, "/home/dev/.config/opencode"],
    ["darwin", { HOME: "/Users/dev" }, "/Users/dev/.config/opencode"],
    ["win32", { USERPROFILE: "C:\\Users\\dev" }, "C:\\Users\\dev\\.config\\opencode"],
    ["linux", {}, undefined],
  ] as const)("on %s with %j is %s", (platform, variables, expected) => {
    expect(configurationFolder({ platform, variables })).toBe(expected)
  })
})

describe("trustBoundary", () => {
  it.each([
    ["/home/dev/acme", "/home/dev/acme/src", "/home/dev/acme"],
    ["/home/dev/acme", "/home/dev/acme", "/home/dev/acme"],
    ["/", "/home/dev/notes", "/home/dev/notes"],
    ["/home/dev/acme", "/home/dev/linked", "/home/dev/linked"],
    ["/home/dev/acme", "/home/dev/acme-other", "/home/dev/acme-other"],
  ])("of the worktree %s and the directory %s is %s", (worktree, directory, expected) => {
    expect(trustBoundary(worktree, directory)).toBe(resolve(expected))
  })
})

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Project } from "../model/project.js"
import { rankByName } from "./rank-by-name.js"

describe("rankByName", () => {
  it("goes from the whole path over the last folder, its beginning and its middle to letters in order", () => {
    const worktrees = [
      "/src/s-t-o-r-e",
      "/src/store/client",
      "/src/eastore",
      "/src/store-front",
      "/src/store",
      "store",
      "/src/other",
    ]
    expect(found(worktrees, "store")).toEqual(worktrees.slice(0, -1).reverse())
  })

  it("does not care for letter case or the composition of letters", () => {
    expect(found(["/home/dev/Café"], "CAFE\u0301")).toEqual(["/home/dev/Café"])
  })

  it.each(["C:\\code\\acme", "C:/code/acme", "c:/Code/Acme/", "code\\acme", "code/acme", "acme"])(
    "%s means C:\\code\\acme as well as C:/code/acme",
    (name) => {
      const worktrees = ["C:/code/acme", "C:\\code\\acme"]
      expect(found(worktrees, name)).toEqual(worktrees)
      expect(found(["/acme-tools", ...worktrees], name).slice(0, 2)).toEqual(worktrees)
    },
  )

  it("takes the last folders of a path together", () => {
    expect(found(["/a/web", "/b/web"], "b/web")).toEqual(["/b/web"])
  })

  it("also goes by the name that a project was given", () => {
    const named = { ...project("/src/x1", 1), name: "Shop" }
    expect(rankByName([project("/src/shopping", 2), named], "shop")).toEqual([
      named,
      project("/src/shopping", 2),
    ])
  })

  it("prefers the project used last among equals, then the smaller id", () => {
    const [old, recent, untouched] = [project("/a/web", 1), project("/b/web", 9), project("/c/web", 5)]
    delete untouched.time.updated
    const twin = { ...recent, id: "twin" }
    expect(rankByName([old, twin, untouched, recent], "web").map(({ id }) => id)).toEqual([
      "/b/web",
      "twin",
      "/a/web",
      "/c/web",
    ])
  })

  it.each(["", " ", "nothing like it"])("finds nothing for %j", (name) => {
    expect(found(["/src/store", "/"], name)).toEqual([])
  })

  it("finds every project first by its own worktree", () => {
    const folder = fc.stringMatching(/^[A-Za-z][A-Za-z. _-]{0,8}[a-z]$/)
    const path = fc.array(folder, { minLength: 1, maxLength: 4 }).map((folders) => `/${folders.join("/")}`)
    const paths = fc.uniqueArray(path, { minLength: 1, selector: (text) => text.toLowerCase() })
    fc.assert(
      fc.property(paths, (worktrees) => {
        for (const worktree of worktrees) expect(found(worktrees, worktree)[0]).toBe(worktree)
      }),
    )
  })
})

function found(worktrees: readonly string[], name: string): string[] {
  const projects = worktrees.map((worktree) => project(worktree, 1))
  return rankByName(projects, name).map(({ worktree }) => worktree)
}

function project(worktree: string, updated: number): Project {
  return { id: worktree, worktree, time: { created: 0, updated } }
}

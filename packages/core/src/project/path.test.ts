import { describe, expect, it } from "vitest"
import { comparablePath, isInside } from "./path.js"

describe("comparablePath", () => {
  it.each([
    ["C:\\a\\b", "C:/a/b"],
    ["C:\\a", "c:/A/"],
    ["C:\\", "C:/"],
    ["\\\\server\\share\\a", "\\\\SERVER\\share\\a\\"],
    ["/home/dev/", "/home/dev"],
  ])("takes %s and %s for the same", (a, b) => {
    expect(comparablePath(a)).toBe(comparablePath(b))
  })

  it.each([
    ["/home/dev", "/home/Dev"],
    ["/home/a\\b", "/home/a/b"],
    ["C:\\a", "D:\\a"],
    ["/", ""],
  ])("tells %s from %s", (a, b) => {
    expect(comparablePath(a)).not.toBe(comparablePath(b))
  })
})

describe("isInside", () => {
  it.each([
    ["/a", "/a"],
    ["/a", "/a/b/c"],
    ["/", "/a"],
    ["C:\\a", "c:/a/b"],
    ["C:/", "C:\\b"],
  ])("%s has %s inside", (folder, path) => {
    expect(isInside(folder, path)).toBe(true)
  })

  it.each([
    ["/a", "/ab"],
    ["/a/b", "/a"],
    ["C:\\a", "C:\\ab"],
    ["/a", "a"],
  ])("%s does not have %s inside", (folder, path) => {
    expect(isInside(folder, path)).toBe(false)
  })
})

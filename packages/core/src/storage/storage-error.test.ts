import { describe, expect, it, vi } from "vitest"
import { StorageError } from "./storage-error.js"

describe("StorageError", () => {
  it("is an Error with code, key, path and cause", () => {
    const cause = new Error("disk")
    const error = new StorageError("IO", "Cannot write", { key: ["a", "b"], path: "/data/a/b.json", cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: "StorageError",
      code: "IO",
      key: ["a", "b"],
      path: "/data/a/b.json",
      cause,
    })
    expect(error.stack).toContain("storage-error.test")
  })

  it("says in its message for which key and path", () => {
    const of = (details: object) => new StorageError("CORRUPT", "The record is empty", details).message
    expect(of({})).toBe("The record is empty")
    expect(of({ key: ["a", "b"] })).toBe("The record is empty [a/b]")
    expect(of({ path: "/data/b.json" })).toBe("The record is empty (/data/b.json)")
    expect(of({ key: ["a", "b"], path: "/data/b.json" })).toBe("The record is empty [a/b] (/data/b.json)")
  })

  it("has no cause unless one is given", () => {
    expect("cause" in new StorageError("IO", "Cannot write")).toBe(false)
  })
})

describe("StorageError.is", () => {
  it("recognises storage errors, and tells their codes apart", () => {
    const error: unknown = new StorageError("LOCKED", "In use")
    expect(StorageError.is(error)).toBe(true)
    expect(StorageError.is(error, "LOCKED")).toBe(true)
    expect(StorageError.is(error, "CLOSED")).toBe(false)
  })

  it("recognises the errors of another copy of the package", async () => {
    vi.resetModules()
    const copy = await import("./storage-error.js")
    expect(copy.StorageError).not.toBe(StorageError)
    const error: unknown = new copy.StorageError("FULL", "No space")
    expect(error).not.toBeInstanceOf(StorageError)
    expect(StorageError.is(error, "FULL")).toBe(true)
  })

  it.each<[unknown]>([
    [undefined],
    [null],
    ["CLOSED"],
    [{ name: "StorageError", code: "CLOSED" }],
    [Object.assign(new Error("a"), { code: "CLOSED" })],
  ])("does not take %j for one", (other) => {
    expect(StorageError.is(other)).toBe(false)
    expect(StorageError.is(other, "CLOSED")).toBe(false)
  })
})

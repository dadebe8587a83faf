import { StorageError } from "@sessile/core/storage"
import { expect, test } from "vitest"
import { levelFault } from "./level-fault.js"

test.each([
  ["LEVEL_LOCKED", "IO error: lock /x/LOCK: Resource temporarily unavailable", "LOCKED"],
  ["LEVEL_CORRUPTION", "Corruption: bad block contents", "CORRUPT"],
  ["LEVEL_IO_ERROR", "IO error: /x/000003.log: No space left on device", "FULL"],
  ["LEVEL_IO_ERROR", "IO error: /x/000003.log: Disk quota exceeded", "FULL"],
  ["LEVEL_IO_ERROR", "IO error: /x/LOCK: Read-only file system", "READONLY"],
  ["LEVEL_IO_ERROR", "IO error: /x/LOCK: Permission denied", "DENIED"],
  ["LEVEL_IO_ERROR", "IO error: /x/MANIFEST-000002: No such file or directory", "CORRUPT"],
  ["LEVEL_IO_ERROR", "IO error: /No space left on device/LOCK: Input/output error", "IO"],
  ["ENOSPC", "mkdir", "FULL"],
  ["EACCES", "mkdir", "DENIED"],
  ["EROFS", "mkdir", "READONLY"],
  ["EMFILE", "mkdir", "IO"],
])("%s, %s is %s, also behind the error of open", (code, message, expected) => {
  const reason = Object.assign(new Error(message), { code })
  const opening = Object.assign(new Error("Database failed to open", { cause: reason }), {
    code: "LEVEL_DATABASE_NOT_OPEN",
  })
  for (const error of [reason, opening]) {
    const fault = levelFault("open the store", error, "/x", ["a"])
    expect(fault).toMatchObject({ code: expected, path: "/x", key: ["a"], cause: reason })
    expect(fault.message).toMatch(/^Cannot open the store: .+ \[a\] \(\/x\)$/)
  }
})

test("a StorageError passes through", () => {
  const error = new StorageError("CLOSED", "closed")
  expect(levelFault("open the store", error, "/x")).toBe(error)
})

import { ConflictError, SetAsideError } from "@sessile/convert"
import { StorageError, type StorageErrorCode } from "@sessile/core/storage"
import { expect, test } from "vitest"
import { UsageError } from "../exit-code.js"
import { failureOf, formatFailure } from "./failure.js"

test.each<[StorageErrorCode, number]>([
  ["NOT_FOUND", 3],
  ["CORRUPT", 5],
  ["LOCKED", 7],
  ["FULL", 1],
  ["READONLY", 1],
  ["DENIED", 1],
  ["IO", 1],
])("%s has exit code %d", (code, expected) => {
  expect(failureOf(new StorageError(code, "No"))).toMatchObject({ exitCode: expected, code, message: "No" })
})

test("what one can do stands below what happened", () => {
  expect(formatFailure(failureOf(new StorageError("FULL", "No space left", { path: "/mnt/a.db" })))).toEqual([
    "sessile: No space left (/mnt/a.db)",
    "Free some space, then run the same command again to continue: what was written stays.",
  ])
})

test("records that stood in the way are named", () => {
  const conflict = formatFailure(failureOf(new ConflictError([["todo", "a"]], 12))).join("\n")
  expect(conflict).toContain(
    "12 records of the source with other content\n  todo/a\nChoose with --on-conflict",
  )
  const refused = new SetAsideError([{ key: ["todo", "a"], reason: "Empty" }], 1)
  const strict = formatFailure(failureOf(refused)).join("\n")
  expect(strict).toContain("  todo/a: Empty\nWithout --strict")
})

test("an error of the system is named with its path, not raw", () => {
  const error = Object.assign(new Error("EISDIR: illegal operation"), {
    code: "EISDIR",
    syscall: "read",
    path: "/a",
  })
  expect(failureOf(error)).toMatchObject({
    code: "IO",
    message: "Cannot access a file: a folder is where a file is needed (/a)",
  })
})

test("usage and anything else have their codes", () => {
  expect(failureOf(new UsageError("No")).exitCode).toBe(2)
  expect(failureOf("thrown").exitCode).toBe(1)
})

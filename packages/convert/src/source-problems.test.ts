import { MemoryStorage, StorageError } from "@sessile/core/storage"
import { expect, test } from "vitest"
import { convert } from "./convert.js"
import { inspect } from "./inspect.js"
import { DamagedStorage } from "./testing/damaged-storage.js"
import { verify } from "./verify.js"

const FINDING = "Page 7 is damaged"

test.each([
  ["what a check of the source finds", FINDING, FINDING],
  [
    "that the source could not be checked",
    new StorageError("IO", "Cannot read it"),
    "The store could not be checked: Cannot read it",
  ],
])("%s is reported by convert, its dry run, inspect and verify", async (_, finding, expected) => {
  const source = new DamagedStorage(finding)
  await source.write(["a"], 1)
  const target = new MemoryStorage()
  for (const dryRun of [true, false]) {
    await using conversion = await convert({ source, target, dryRun })
    expect(conversion).toMatchObject({ sourceProblems: [expected], problems: [], totals: { found: 1 } })
  }
  expect(await inspect({ store: source })).toMatchObject({ problems: [expected] })
  expect(await verify({ a: source, b: target })).toMatchObject({ problems: { a: [expected], b: [] } })
})

test("of a source that is whole nothing is reported", async () => {
  await using conversion = await convert({ source: new MemoryStorage(), target: new MemoryStorage() })
  expect(conversion.sourceProblems).toEqual([])
})

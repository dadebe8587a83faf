import { MemoryStorage, type Storage, StorageError } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import fc from "fast-check"
import { expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { gather } from "./testing/gather.js"
import { type Step, steps } from "./testing/operations.js"

test("whatever is done, files give the same as memory", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25 }), async (sequence) => {
      await using folder = await temporaryFolder()
      await using files = await JsonStorage.open({ path: folder.path })
      await using memory = new MemoryStorage()
      for (const step of sequence) {
        expect(await outcome(step, files), step.description).toEqual(await outcome(step, memory))
      }
      const expected = await gather(memory.scan([]))
      expect(await gather(files.scan([]))).toEqual(expected)
      await using reopened = await JsonStorage.open({ path: folder.path, readonly: true })
      expect(await gather(reopened.scan([], { reverse: true }))).toEqual(expected.toReversed())
    }),
    { numRuns: 100 },
  )
})

async function outcome(step: Step, storage: Storage): Promise<unknown> {
  try {
    return { gives: await step.run(storage) }
  } catch (error) {
    if (StorageError.is(error)) return { code: error.code, key: error.key }
    if (error instanceof RangeError) return { throws: error.message }
    throw error
  }
}

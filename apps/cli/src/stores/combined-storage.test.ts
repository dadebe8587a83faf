import { encodeKey, type Key, MemoryStorage } from "@sessile/core/storage"
import fc from "fast-check"
import { expect, test } from "vitest"
import { CombinedStorage } from "./combined-storage.js"

test("both stores appear as one, in key order, and the first one's records win", async () => {
  const segment = fc.constantFrom("a", "b", "c", "é", "\u{1F600}", "￿")
  const keys = fc.uniqueArray(fc.array(segment, { minLength: 1, maxLength: 3 }), { selector: encodeKey })
  await fc.assert(
    fc.asyncProperty(keys, keys, async (ours, theirs) => {
      const expected = new MemoryStorage()
      await put(expected, theirs, "second")
      await put(expected, ours, "first")
      const [first, second] = [new MemoryStorage(), new MemoryStorage()]
      await put(first, ours, "first")
      await put(second, theirs, "second")
      await using combined = new CombinedStorage(first, second)

      for (const prefixes of [[[]], [["a"], ["b", "é"]]]) {
        expect(await flat(combined.scanTexts({ prefixes }))).toEqual(
          await flat(expected.scanTexts({ prefixes })),
        )
        expect(await flat(combined.scanKeys({ prefixes }))).toEqual(
          await flat(expected.scanKeys({ prefixes })),
        )
      }
      const encoded = [...ours, ...theirs, ["absent"]].map(encodeKey)
      expect(await combined.readTexts(encoded)).toEqual(await expected.readTexts(encoded))
      expect(await combined.list(["a"], { reverse: true })).toEqual(
        await expected.list(["a"], { reverse: true }),
      )
    }),
  )
})

test("many records of the second store before one of the first come in pages", async () => {
  const [first, second] = [new MemoryStorage(), new MemoryStorage()]
  await put(first, [["z"]], "first")
  await put(
    second,
    Array.from({ length: 1_000 }, (_, index) => ["a", `${index}`]),
    "second",
  )
  await using combined = new CombinedStorage(first, second)
  const sizes: number[] = []
  for await (const page of combined.scanTexts()) sizes.push(page.length)
  expect(sizes).toEqual([200, 200, 200, 200, 200, 1])
})

test("nothing can be written", async () => {
  await using combined = new CombinedStorage(new MemoryStorage(), new MemoryStorage())
  await expect(combined.write(["a"], 1)).rejects.toMatchObject({ code: "READONLY" })
  await expect(combined.remove(["a"])).rejects.toMatchObject({ code: "READONLY" })
})

async function put(storage: MemoryStorage, keys: readonly Key[], value: string): Promise<void> {
  for (const key of keys) await storage.write(key, { value })
}

async function flat<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...page)
  return items
}

import { MemoryStorage } from "@sessile/core/storage"
import { describe, expect, test } from "vitest"
import { type ConvertOptions, convert } from "./convert.js"
import { conversation, storeOf, textsOf } from "./testing/stores.js"

describe.each(["fail", "skip", "newer", "replace"] as const)("beforeWrite with %s", (onConflict) => {
  async function announced(target: MemoryStorage, more: Partial<ConvertOptions> = {}) {
    const seen: Record<string, string>[] = []
    const beforeWrite = async () => {
      seen.push(await textsOf(target))
    }
    const source = await storeOf(conversation)
    await using _ = await convert({ source, target, onConflict, beforeWrite, ...more })
    return seen
  }

  test("is called once, while the target is still as it was", async () => {
    const { migration, ...rest } = conversation
    const target = await storeOf(rest)
    expect(await announced(target)).toEqual([rest])
    expect(await textsOf(target)).toEqual(conversation)
    expect(await announced(new MemoryStorage())).toEqual([{}])
  })

  test("is not called when there is nothing to write, nor in a dry run", async () => {
    expect(await announced(await storeOf(conversation))).toEqual([])
    expect(await announced(new MemoryStorage(), { dryRun: true })).toEqual([])
  })
})

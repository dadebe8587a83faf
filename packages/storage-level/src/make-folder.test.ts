import { open } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { afterEach, expect, test, vi } from "vitest"
import { LevelStorage } from "./level-storage.js"

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  ["full", 3],
  ["normal", 0],
] as const)(
  "with durability %s, opening waits for the disk for %i of 3 new folders",
  async (durability, count) => {
    await using folder = await temporaryFolder()
    const handle = await open(folder.path, "r")
    const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync")
    await handle.close()
    await using _storage = await LevelStorage.open({ path: join(folder.path, "a", "b", "c"), durability })
    expect(sync).toHaveBeenCalledTimes(count)
  },
)

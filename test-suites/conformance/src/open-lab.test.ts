import { existsSync } from "node:fs"
import { MemoryStorage, type Storage } from "@sessile/core/storage"
import { expect, test } from "vitest"
import type { Place } from "./harness.js"
import { openLab } from "./open-lab.js"

class Unclosable extends MemoryStorage {
  closings = 0

  override async close(): Promise<void> {
    this.closings++
    throw new Error("It does not close")
  }
}

test("whatever fails to close, everything is closed and no folder is left", async () => {
  const places: Place[] = []
  const stores: Unclosable[] = []
  const create = async (place: Place): Promise<Storage> => {
    places.push(place)
    stores.push(new Unclosable())
    return stores.at(-1) as Unclosable
  }
  const lab = await openLab({ name: "unclosable", module: import.meta.url, create }, 0)
  await lab.another()
  expect(places.map(({ folder }) => existsSync(folder))).toEqual([true, true])
  await expect(lab[Symbol.asyncDispose]()).rejects.toThrow("It does not close")
  expect(places.map(({ folder }) => existsSync(folder))).toEqual([false, false])
  expect(stores.map(({ closings }) => closings)).toEqual([1, 1])
})

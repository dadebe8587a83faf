import { expect, it } from "vitest"
import { NoSnapshots } from "./no-snapshots.js"
import type { Snapshots } from "./snapshots.js"

const snapshots: Snapshots = new NoSnapshots()

it("takes no snapshot and sees no change", async () => {
  expect(await snapshots.track()).toBeUndefined()
  expect(await snapshots.patch("a")).toEqual({ hash: "a", files: [] })
  expect(await snapshots.diff("a")).toBe("")
  expect(await snapshots.diffFull("a")).toEqual([])
})

it("refuses to bring back files, rather than to pretend", async () => {
  await expect(snapshots.restore("a")).rejects.toMatchObject({ code: "UNSUPPORTED" })
  await expect(snapshots.revert([{ hash: "a", files: ["/b"] }])).rejects.toMatchObject({
    code: "UNSUPPORTED",
  })
  await expect(snapshots.revert([{ hash: "a", files: [] }])).resolves.toBeUndefined()
})

import { readFileSync } from "node:fs"
import { type FileHandle, open, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { encodeKey } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { afterEach, expect, test, vi } from "vitest"
import { convert } from "./convert.js"
import { SetAsideFolder } from "./set-aside.js"
import { storeOf } from "./testing/stores.js"

afterEach(() => vi.restoreAllMocks())

test("a version that is replaced is on the disk, with all names that lead to it, before the target changes", async () => {
  await using folder = await temporaryFolder()
  const aside = join(folder.path, "new", "aside")
  const source = await storeOf({ "a/1": "1" })
  const target = await storeOf({ "a/1": "2" })
  const synced = await watchSyncs()
  const write = target.writeTexts.bind(target)
  const before: number[] = []
  target.writeTexts = async (records) => {
    before.push(...synced)
    const [name = ""] = await readdir(join(aside, "a"))
    expect(readFileSync(join(aside, "a", name), "utf8")).toBe("2")
    await write(records)
  }
  const setAside = new SetAsideFolder(aside)
  await using conversion = await convert({ source, target, onConflict: "replace", setAside })
  expect(conversion.totals.written).toBe(1)
  const [name = ""] = await readdir(join(aside, "a"))
  const paths = [join(aside, "a", name), join(aside, "a"), aside, join(folder.path, "new"), folder.path]
  expect(before).toEqual(await Promise.all(paths.map(inodeOf)))
})

test("what is only set aside, and stays in the source, waits for no disk", async () => {
  await using folder = await temporaryFolder()
  const synced = await watchSyncs()
  await new SetAsideFolder(join(folder.path, "aside")).keep({ key: encodeKey(["a"]), reason: "", text: "{" })
  expect(synced).toEqual([])
})

/** The inodes of the files that are synced from now on. */
async function watchSyncs(): Promise<readonly number[]> {
  const synced: number[] = []
  await using handle = await open(import.meta.filename)
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  const { sync } = prototype
  vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    synced.push((await this.stat()).ino)
    await sync.call(this)
  })
  return synced
}

async function inodeOf(path: string): Promise<number> {
  return (await stat(path)).ino
}

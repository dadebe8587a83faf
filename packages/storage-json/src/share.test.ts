import { stat, utimes } from "node:fs/promises"
import { join } from "node:path"
import { decodeKey, encodeKey, isInShare, type Share } from "@sessile/core/storage"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { gather } from "./testing/gather.js"
import { skip } from "./testing/skip.js"

test.each([1, 2, 3])("of a real store %i shares are disjoint and complete", async (count) => {
  await using fixture = await copyFixture("v1.1.65")
  await using storage = await JsonStorage.open({ path: join(fixture.path, "storage"), readonly: true })
  const shares = await Promise.all(
    Array.from({ length: count }, (_, index) => keysOf(storage, { index, count })),
  )
  for (const keys of shares) expect(keys.length).toBeGreaterThan(0)
  expect(shares.flat().toSorted()).toEqual((await storage.list([])).map(encodeKey).toSorted())
})

test("records at the first two levels are shared by their own keys, below prefixes too", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  const keys = ["a", "b", "c", "d"].flatMap((name) => [
    [name],
    ["todo", name],
    ["part", name, "1"],
    ["part", name, "1", "2"],
  ])
  for (const key of keys) await storage.write(key, 1)
  for (const prefixes of [[[]], [["part", "a"], ["part", "b"], ["todo"]]]) {
    const shares = [0, 1].map((index) => keysOf(storage, { index, count: 2 }, prefixes))
    const [left, right] = (await Promise.all(shares)) as [string[], string[]]
    expect(left.every((key) => isInShare({ index: 0, count: 2 }, key))).toBe(true)
    const whole = (await gather(storage.scanMany(prefixes))).map(({ key }) => encodeKey(key))
    expect([...left, ...right].toSorted()).toEqual(whole.toSorted())
    expect(left.length * right.length).toBeGreaterThan(0)
  }
})

test("the folders of another share are not read", async (context) => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  const sessions = Array.from({ length: 20 }, (_, index) => ["message", `ses_${index}`])
  for (const session of sessions) await storage.write([...session, "msg_1"], 1)
  const share = { index: 0, count: 2 }
  const [own, others] = [true, false].map((wanted) =>
    sessions.filter((session) => isInShare(share, encodeKey(session)) === wanted),
  ) as [string[][], string[][]]
  const path = (session: string[]) => join(folder.path, ...session)
  for (const session of sessions) await utimes(path(session), 0, new Date())
  const readTimes = (list: string[][]) =>
    Promise.all(list.map(async (session) => (await stat(path(session))).atimeMs))

  expect((await keysOf(storage, share)).map((key) => decodeKey(key).slice(0, 2))).toEqual(own.toSorted())
  expect(new Set(await readTimes(others))).toEqual(new Set([0]))
  for (const session of others) await keysOf(storage, share, [session])
  expect(new Set(await readTimes(others))).toEqual(new Set([0]))
  if ((await readTimes(own)).includes(0)) skip(context, "the file system does not keep track of reading")
})

async function keysOf(storage: JsonStorage, share: Share, prefixes?: string[][]): Promise<string[]> {
  const pages = await gather(storage.scanTexts({ share, ...(prefixes && { prefixes }) }))
  return pages.flat().map(({ key }) => key)
}

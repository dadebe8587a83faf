import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import type { Contents } from "./folder-contents.js"
import { FolderMemory } from "./folder-memory.js"

const later = () => Date.now() + 60_000

function contents(...segments: string[]): Contents {
  const children = segments.map((segment) => ({
    segment,
    file: `${segment}.json`,
    folder: undefined,
    trail: [],
  }))
  return { children, foreign: [] }
}

test("folders are recalled as they were noted, in any order, however many there are", async () => {
  await using folder = await temporaryFolder()
  const since = later()
  const memory = new FolderMemory(since)
  const keys = Array.from({ length: 20_000 }, (_, index) => `part\0msg_${String(index).padStart(6, "0")}`)
  const noted = keys.map((_, index) => contents(`prt_${index}`, `prt_${index}-é😀`))
  for (const [index, key] of keys.entries()) memory.note(key, noted[index] as Contents)
  for (const index of [...keys.keys()].reverse()) {
    expect(memory.recall(folder.path, keys[index] as string, since)).toEqual(noted[index])
    expect(memory.recall(folder.path, `${keys[index]}-new`, since)).toBeUndefined()
  }
})

test("more folders than are remembered are listed again", async () => {
  await using folder = await temporaryFolder()
  const since = later()
  const memory = new FolderMemory(since)
  for (let index = 0; index < 140_000; index++) memory.note(`a\0${index}`, contents("x"))
  expect(memory.recall(folder.path, "a\x000", since)).toEqual(contents("x"))
  expect(memory.recall(folder.path, "a\x00139999", since)).toBeUndefined()
  const full = new FolderMemory(since)
  for (let index = 0; index < 20; index++) full.note(`a\0${index}`, contents("x".repeat(1024 * 1024)))
  expect(full.recall(folder.path, "a\x000", since)).toBeDefined()
  expect(full.recall(folder.path, "a\x0019", since)).toBeUndefined()
})

test("a folder is not recalled if it was changed, or if a line cannot tell what it holds", async () => {
  await using folder = await temporaryFolder()
  const memory = new FolderMemory(later())
  const mixed = [{ segment: "a", file: "a.json", folder: "a", trail: [] }]
  memory.note("a", contents("x"))
  memory.note("b", contents("x\ny"))
  memory.note("c\nd", contents("x"))
  memory.note("e", { children: mixed, foreign: [] })
  memory.note("f", { ...contents("x"), foreign: [{ path: "y", reason: "odd", isFolder: false }] })
  memory.note("g", contents())
  memory.note("h", contents("x".repeat(1024 * 1024)))
  const recall = (key: string, since: number) => memory.recall(folder.path, key, since)
  expect(recall("a", 0)).toBeUndefined()
  expect(recall("a", later())).toEqual(contents("x"))
  for (const key of ["b", "c\nd", "e", "f", "g"]) expect(recall(key, later())).toBeUndefined()
  expect(recall("h", later())).toEqual(contents("x".repeat(1024 * 1024)))
  expect(recall("i", later())).toBeUndefined()
})

test("nor if it was changed since it is known, whatever was asked", async () => {
  await using folder = await temporaryFolder()
  const memory = new FolderMemory()
  memory.note("a", contents("x"))
  expect(memory.recall(folder.path, "a", later())).toBeUndefined()
})

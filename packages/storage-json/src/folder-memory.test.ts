import { utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import type { Contents } from "./folder-contents.js"
import { FolderMemory } from "./folder-memory.js"

const later = () => Date.now() + 60_000

const nothing: Contents = { children: [], foreign: [] }

test("of a folder that is remembered only the files are given that were changed since", async () => {
  await using folder = await temporaryFolder()
  for (const name of ["prt_a", "prt_b-é😀", "prt_c"]) await writeFile(join(folder.path, `${name}.json`), "{}")
  const since = later()
  const changedAt = new Date(since + 1_000)
  await utimes(join(folder.path, "prt_b-é😀.json"), changedAt, changedAt)
  const memory = new FolderMemory(since + 60_000)
  memory.note("part\0msg_a", ["prt_a", "prt_b-é😀", "prt_c", "prt_gone"])
  const changed = { segment: "prt_b-é😀", file: "prt_b-é😀.json", folder: undefined, trail: [] }
  expect(memory.changesIn(folder.path, "part\0msg_a", since)).toEqual({ children: [changed], foreign: [] })
  expect(memory.changesIn(folder.path, "part\0msg_a", since + 2_000)).toEqual(nothing)
})

test("folders are remembered in any order, however many there are", async () => {
  await using folder = await temporaryFolder()
  const since = later()
  const memory = new FolderMemory(since)
  const keys = Array.from({ length: 20_000 }, (_, index) => `part\0msg_é${String(index).padStart(6, "0")}`)
  for (const [index, key] of keys.entries()) memory.note(key, [`prt_${index}`])
  for (const key of keys.toReversed()) {
    expect(memory.changesIn(folder.path, key, since)).toEqual(nothing)
    expect(memory.changesIn(folder.path, `${key}-new`, since)).toBeUndefined()
  }
})

test("more folders than are remembered are listed again", async () => {
  await using folder = await temporaryFolder()
  const since = later()
  const memory = new FolderMemory(since)
  for (let index = 0; index < 140_000; index++) memory.note(`a\0${index}`, ["x"])
  expect(memory.changesIn(folder.path, "a\x000", since)).toBeDefined()
  expect(memory.changesIn(folder.path, "a\x00139999", since)).toBeUndefined()
  const full = new FolderMemory(since)
  const names = Array.from({ length: 4_096 }, (_, index) => `${index}-`.padEnd(250, "x"))
  for (let index = 0; index < 20; index++) full.note(`a\0${index}`, names)
  expect(full.changesIn(folder.path, "a\x000", since)).toBeDefined()
  expect(full.changesIn(folder.path, "a\x0019", since)).toBeUndefined()
})

test("nor is a folder remembered if it was changed, or if a line cannot tell what it holds", async () => {
  await using folder = await temporaryFolder()
  const memory = new FolderMemory(later())
  memory.note("a", ["x"])
  memory.note("b", ["x\ny"])
  memory.note("c\nd", ["x"])
  memory.note("e", [])
  const changes = (key: string, since: number) => memory.changesIn(folder.path, key, since)
  expect(changes("a", 0)).toBeUndefined()
  expect(changes("a", later())).toEqual(nothing)
  for (const key of ["b", "c\nd", "e", "f"]) expect(changes(key, later())).toBeUndefined()
})

test("nor if it was changed since it is known, whatever was asked", async () => {
  await using folder = await temporaryFolder()
  const memory = new FolderMemory()
  memory.note("a", ["x"])
  expect(memory.changesIn(folder.path, "a", later())).toBeUndefined()
})

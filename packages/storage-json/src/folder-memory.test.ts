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

test("folders are recalled as they were noted, however many there are", async () => {
  await using folder = await temporaryFolder()
  const since = later()
  const memory = new FolderMemory()
  memory.begin()
  const keys = Array.from({ length: 20_000 }, (_, index) => `part\0msg_${String(index).padStart(6, "0")}`)
  const noted = keys.map((_, index) => contents(`prt_${index}`, `prt_${index}-é😀`))
  for (const [index, key] of keys.entries()) memory.note(key, noted[index] as Contents)
  for (const round of [1, 2]) {
    memory.rewind()
    // Those that nobody asks for are passed over, and so are those that nobody has noted.
    for (let index = 0; index < keys.length; index += round) {
      expect(memory.recall(folder.path, keys[index] as string, since)).toEqual(noted[index])
      expect(memory.recall(folder.path, `${keys[index]}-new`, since)).toBeUndefined()
    }
  }
  memory.begin()
  memory.rewind()
  expect(memory.recall(folder.path, keys[0] as string, since)).toBeUndefined()
})

test("a folder is not recalled if it was changed, or if a line cannot tell what it holds", async () => {
  await using folder = await temporaryFolder()
  const memory = new FolderMemory()
  memory.begin()
  const mixed = [{ segment: "a", file: "a.json", folder: "a", trail: [] }]
  memory.note("a", contents("x"))
  memory.note("b", contents("x\ny"))
  memory.note("c\nd", contents("x"))
  memory.note("e", { children: mixed, foreign: [] })
  memory.note("f", { ...contents("x"), foreign: [{ path: "y", reason: "odd", isFolder: false }] })
  memory.note("g", contents())
  memory.note("h", contents("x".repeat(1024 * 1024)))
  const recall = (key: string, since: number) => memory.recall(folder.path, key, since)
  memory.rewind()
  expect(recall("a", 0)).toBeUndefined()
  expect(recall("a", later())).toEqual(contents("x"))
  for (const key of ["b", "c\nd", "e", "f", "g"]) expect(recall(key, later())).toBeUndefined()
  expect(recall("h", later())).toEqual(contents("x".repeat(1024 * 1024)))
  expect(recall("i", later())).toBeUndefined()
})

import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { LevelStorage } from "../level-storage.js"
import { gather } from "../testing/gather.js"
import { withDatabase } from "../testing/raw-database.js"
import { writeSessions } from "../testing/sessions.js"
import { CLOSING_NOTE } from "./closing-note.js"

const COUNT = 143

describe.each([
  ["was closed", true],
  // Without the note it is as a process left it that was killed.
  ["was not closed", false],
])("a store that %s", (_, hasNote) => {
  test("is CORRUPT, untouched and completely repaired, wherever its MANIFEST was cut off", {
    timeout: 60_000,
  }, async () => {
    await using folder = await storeWithTable(hasNote)
    const manifest = await nameOf(folder.path, /^MANIFEST/)
    const { size } = await stat(join(folder.path, manifest))
    for (let length = 0; length < size; length += length < 50 ? 10 : 3) {
      await using copy = await temporaryFolder()
      await cp(folder.path, copy.path, { recursive: true })
      await truncate(join(copy.path, manifest), length)
      await expectCorrupt(copy.path)
      if (length % 10 !== 3) continue
      expect(await LevelStorage.repair(copy.path)).toEqual({ records: COUNT, losses: [] })
      expect(await countOf(copy.path)).toBe(COUNT)
    }
  })

  test("is CORRUPT, untouched and completely repaired if the end of its MANIFEST is zeroed", async () => {
    await using folder = await storeWithTable(hasNote)
    const path = join(folder.path, await nameOf(folder.path, /^MANIFEST/))
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0, 50))
    await expectCorrupt(folder.path)
    expect(await LevelStorage.repair(folder.path)).toEqual({ records: COUNT, losses: [] })
  })

  test("is CORRUPT and untouched if its log is missing", async () => {
    await using folder = await storeWithLog(hasNote)
    await rm(join(folder.path, await nameOf(folder.path, /\.log$/)))
    await expectCorrupt(folder.path)
    expect(await LevelStorage.repair(folder.path)).toEqual({ records: 0, losses: ["000003.log is missing"] })
  })

  test("is CORRUPT and untouched if a change in its log is damaged", async () => {
    await using folder = await storeWithLog(hasNote)
    const path = join(folder.path, await nameOf(folder.path, /\.log$/))
    const intact = await readFile(path)
    for (const offset of [0, 4, 5, 6, 20, 1000, intact.length - 10]) {
      const bytes = Buffer.from(intact)
      bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset)
      await writeFile(path, bytes)
      await expectCorrupt(folder.path)
    }
  })

  test("is CORRUPT and untouched whichever byte of a table is damaged", { timeout: 60_000 }, async () => {
    await using folder = await storeWithTable(hasNote)
    const path = join(folder.path, await nameOf(folder.path, /\.ldb$/))
    const intact = await readFile(path)
    // The last 8 bytes are the mark of a table, and those before them may be filling.
    for (let offset = 0; offset < intact.length - 40; offset += 211) {
      const bytes = Buffer.from(intact)
      bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset)
      await writeFile(path, bytes)
      await expectCorrupt(folder.path)
    }
  })

  test("is CORRUPT if a file of it is something else", async () => {
    await using folder = await storeWithTable(hasNote)
    const name = await nameOf(folder.path, /\.ldb$/)
    await rm(join(folder.path, name))
    await mkdir(join(folder.path, name))
    await expect(LevelStorage.open({ path: folder.path })).rejects.toMatchObject({ code: "CORRUPT" })
  })
})

test("a closed store whose log was cut off between two changes is CORRUPT, and its repair says so", async () => {
  await using folder = await storeWithLog(true)
  const path = join(folder.path, await nameOf(folder.path, /\.log$/))
  const { size } = await stat(path)
  await truncate(path, 0)
  await expectCorrupt(folder.path)
  const losses = [`000003.log has lost ${size} bytes`]
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: 0, losses })
})

test("a store that was not closed and whose log ends within a change opens without it, and check says so", async () => {
  await using folder = await storeWithLog(false)
  const path = join(folder.path, await nameOf(folder.path, /\.log$/))
  await truncate(path, (await stat(path)).size - 5)
  for (const readonly of [true, false]) {
    await using storage = await LevelStorage.open({ path: folder.path, readonly })
    expect(await storage.list([])).toHaveLength(COUNT - 1)
    expect(await storage.check()).toEqual([
      expect.stringMatching(/^The last change in 000003\.log is incomplete/),
    ])
  }
  await using storage = await LevelStorage.open({ path: folder.path })
  expect(await storage.check()).toEqual([])
})

test("the note of an earlier closing does not count once the store was opened by whatever program", async () => {
  await using folder = await storeWithLog(true)
  await withDatabase(folder.path, (database) => database.put("rother", "7d1b8a6e1"))
  expect(await countOf(folder.path)).toBe(COUNT)
})

test("a note that cannot be parsed is CORRUPT, and a repair keeps all records", async () => {
  await using folder = await storeWithTable(true)
  await writeFile(join(folder.path, CLOSING_NOTE), "{")
  await expectCorrupt(folder.path)
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: COUNT, losses: [] })
  expect(await countOf(folder.path)).toBe(COUNT)
})

test("a store in a folder that takes no more files is closed without a note, and opens", async () => {
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  await writeSessions(storage, COUNT)
  await mkdir(join(folder.path, `${CLOSING_NOTE}.new`))
  await storage.close()
  expect(await readdir(folder.path)).not.toContain(CLOSING_NOTE)
  expect(await countOf(folder.path)).toBe(COUNT)
})

async function storeWithTable(hasNote: boolean) {
  const folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  await writeSessions(storage, COUNT)
  await storage.flush()
  await storage.close()
  if (!hasNote) await rm(join(folder.path, CLOSING_NOTE))
  return folder
}

async function storeWithLog(hasNote: boolean) {
  const folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  await writeSessions(storage, COUNT)
  await storage.close()
  if (!hasNote) await rm(join(folder.path, CLOSING_NOTE))
  return folder
}

async function expectCorrupt(path: string): Promise<void> {
  const before = await contentOf(path)
  for (const readonly of [true, false]) {
    await expect(LevelStorage.open({ path, readonly })).rejects.toMatchObject({
      code: "CORRUPT",
      path,
      message: expect.stringContaining("LevelStorage.repair(path)"),
    })
  }
  expect(await contentOf(path)).toEqual(before)
}

/** All files but those that LevelDB writes when it is asked for its lock. */
async function contentOf(path: string) {
  const names = (await readdir(path)).filter((name) => !/^LO(CK|G)/.test(name))
  return Promise.all(names.map(async (name) => [name, await readFile(join(path, name), "latin1")]))
}

async function countOf(path: string): Promise<number> {
  await using storage = await LevelStorage.open({ path })
  const sessions = await gather(storage.scan(["session"]))
  expect(await gather(storage.find("sessions-by-updated", { reverse: true }))).toEqual(sessions)
  return sessions.length
}

async function nameOf(path: string, pattern: RegExp): Promise<string> {
  return (await readdir(path)).find((name) => pattern.test(name)) as string
}

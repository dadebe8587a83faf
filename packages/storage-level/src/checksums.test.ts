import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { LevelStorage } from "./level-storage.js"
import { gather } from "./testing/gather.js"
import { withDatabase } from "./testing/raw-database.js"
import { sessionKey, writeSessions } from "./testing/sessions.js"

const COUNT = 20

describe("a record that was altered outside of the store", () => {
  test.each<[string, (stored: string) => string]>([
    ["one letter of its text", (stored) => stored.replace("t7", "t8")],
    ["a digit of its checksum", (stored) => (stored.startsWith("0") ? "1" : "0") + stored.slice(1)],
    ["all but its checksum", (stored) => stored.slice(0, 8)],
    ["all of it", () => ""],
  ])("in %s is CORRUPT for read, update, scan and find", async (_, alter) => {
    await using folder = await storeOfSessions()
    const key = `r${sessionKey(7).join("\0")}`
    await withDatabase(folder.path, async (database) => {
      await database.put(key, alter((await database.get(key)) as string))
    })
    await using storage = await LevelStorage.open({ path: folder.path })
    const corrupt = { code: "CORRUPT", key: sessionKey(7), path: folder.path }
    await expect(storage.read(sessionKey(7))).rejects.toMatchObject(corrupt)
    await expect(storage.update(sessionKey(7), () => undefined)).rejects.toMatchObject(corrupt)
    const iterations = [
      (onCorrupt?: () => void) => gather(storage.scan(["session"], { onCorrupt })),
      (onCorrupt?: () => void) => gather(storage.find("sessions-by-updated", { onCorrupt })),
    ]
    for (const iterate of iterations) {
      await expect(iterate()).rejects.toMatchObject(corrupt)
      expect(await iterate(() => undefined)).toHaveLength(COUNT - 1)
    }
  })

  test("under another key is CORRUPT", async () => {
    await using folder = await storeOfSessions()
    await withDatabase(folder.path, async (database) => {
      const stored = (await database.get(`r${sessionKey(1).join("\0")}`)) as string
      await database.put(`r${sessionKey(2).join("\0")}`, stored)
    })
    await using storage = await LevelStorage.open({ path: folder.path })
    await expect(storage.read(sessionKey(2))).rejects.toMatchObject({ code: "CORRUPT", key: sessionKey(2) })
  })

  test("can be replaced and removed", async () => {
    await using folder = await storeOfSessions()
    await withDatabase(folder.path, async (database) => {
      for (const number of [3, 4]) await database.put(`r${sessionKey(number).join("\0")}`, "00000000{}")
    })
    await using storage = await LevelStorage.open({ path: folder.path })
    await storage.write(sessionKey(3), { title: "new", time: { updated: 1 } })
    await storage.remove(sessionKey(4))
    expect(await storage.read(sessionKey(3))).toMatchObject({ title: "new" })
  })
})

describe("an index entry", () => {
  test("that names another record is CORRUPT for find, and found by check", async () => {
    await using folder = await storeOfSessions()
    await alterEntry(folder.path, (entry) => entry.replace("ses_003", "ses_004"))
    await using storage = await LevelStorage.open({ path: folder.path })
    const finding = gather(storage.find("sessions-by-updated"))
    await expect(finding).rejects.toMatchObject({ code: "CORRUPT", path: folder.path })
    expect(await storage.check()).toEqual([
      "The indexes hold wrong entries (1); call LevelStorage.repair(path)",
      "Entries are missing from the indexes (1); call LevelStorage.repair(path)",
    ])
  })

  test("that is missing is found by check, and back after a repair", async () => {
    await using folder = await storeOfSessions()
    await alterEntry(folder.path, () => undefined)
    {
      await using storage = await LevelStorage.open({ path: folder.path })
      expect(await storage.check()).toEqual([
        "Entries are missing from the indexes (1); call LevelStorage.repair(path)",
      ])
    }
    await LevelStorage.repair(folder.path)
    await using storage = await LevelStorage.open({ path: folder.path })
    expect(await storage.check()).toEqual([])
    expect(await gather(storage.find("sessions-by-updated"))).toHaveLength(COUNT)
  })
})

async function storeOfSessions() {
  const folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  await writeSessions(storage, COUNT)
  return folder
}

/** Replaces the entry for one session in one index, or removes it. */
async function alterEntry(path: string, alter: (entry: string) => string | undefined): Promise<void> {
  await withDatabase(path, async (database) => {
    const binary = { keyEncoding: "buffer" } as const
    const entries = await database.iterator<Buffer, string>(binary).all()
    const isWanted = ([key]: [Buffer, string]) => key[0] === 0x69 && key.includes("ses_003")
    const [key, value] = entries.findLast(isWanted) as [Buffer, string]
    await database.del(key, binary)
    const altered = alter(key.toString("latin1"))
    if (altered !== undefined) await database.put(Buffer.from(altered, "latin1"), value, binary)
  })
}

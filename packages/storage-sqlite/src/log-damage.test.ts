import { appendFileSync, copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { findLogDamage } from "./log-damage.js"
import { SqliteStorage } from "./sqlite-storage.js"

const PAGE = 4_096
const FRAME = PAGE + 24

describe("nothing is reported of", () => {
  test("a log that is whole", async () => {
    await using log = await newLog()
    expect(findLogDamage(log.path)).toEqual([])
  })

  test("an empty log", async () => {
    await using log = await newLog()
    writeFileSync(log.path, "")
    expect(findLogDamage(log.path)).toEqual([])
  })

  test.each([1, 23, 24, 500, FRAME - 1])("an incomplete frame of %i bytes at its end", async (length) => {
    await using log = await newLog()
    truncateSync(log.path, log.size - FRAME + length)
    expect(findLogDamage(log.path)).toEqual([])
  })

  test("space of zeros at its end", async () => {
    await using log = await newLog()
    appendFileSync(log.path, Buffer.alloc(3 * FRAME))
    expect(findLogDamage(log.path)).toEqual([])
  })

  test("the remains of an older log behind it, nor of a frame that was interrupted before them", async () => {
    await using log = await newLog({ isReused: true })
    expect(findLogDamage(log.path)).toEqual([])
    const content = readFileSync(log.path)
    // The next frame has its header, and still the page of an older one.
    content.copy(content, 32 + FRAME, 32, 32 + 24)
    content.writeUInt32BE(7, 32 + FRAME)
    writeFileSync(log.path, content)
    expect(findLogDamage(log.path)).toEqual([])
  })

  test("what a transaction left that was rolled back, before and after a later one", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "a.db")
    using database = Object.assign(new SqliteDatabase(path), { [Symbol.dispose]: () => database.close() })
    database.pragma("journal_mode = WAL")
    database.pragma("cache_size = 10")
    database.exec("CREATE TABLE numbers (number INTEGER, text TEXT)")
    database.exec("BEGIN")
    const insert = database.prepare("INSERT INTO numbers VALUES (?, hex(randomblob(600)))")
    for (let number = 0; number < 400; number++) insert.run(number)
    database.exec("ROLLBACK")
    const size = statSync(`${path}-wal`).size
    expect(size).toBeGreaterThan(20 * FRAME)
    expect(findLogDamage(`${path}-wal`)).toEqual([])
    insert.run(1)
    expect(statSync(`${path}-wal`).size).toBe(size)
    expect(findLogDamage(`${path}-wal`)).toEqual([])
  })
})

describe("damage is reported", () => {
  test("wherever a bit is flipped in a frame that SQLite then drops", async () => {
    await using log = await newLog()
    for (let position = 32; position < log.size; position += 997) {
      log.flip(position)
      const rows = log.rowsOf()
      expect(rows, `byte ${position}`).toBeLessThan(log.rows)
      expect(findLogDamage(log.path), `byte ${position}`).toEqual([
        expect.stringMatching(/^Frame \d+ of the write-ahead log is damaged; SQLite drops it/),
      ])
      log.flip(position)
    }
  })

  test("wherever a bit is flipped in the header", async () => {
    await using log = await newLog()
    for (let position = 0; position < 32; position++) {
      // The number of the checkpoint is covered by the checksum too.
      log.flip(position)
      expect(log.rowsOf(), `byte ${position}`).toBeLessThan(log.rows)
      expect(findLogDamage(log.path), `byte ${position}`).not.toEqual([])
      log.flip(position)
    }
  })
})

test.each([{}, { readonly: true }])(
  "a store with a damaged log is not opened with %o, and stays as it is",
  async (options) => {
    await using folder = await temporaryFolder()
    await using writing = await SqliteStorage.open({ path: join(folder.path, "a.db") })
    for (let number = 0; number < 8; number++) await writing.write(["number", `${number}`], { number })
    const path = join(folder.path, "b.db")
    for (const suffix of ["", "-wal"]) copyFileSync(join(folder.path, `a.db${suffix}`), path + suffix)
    const log = readFileSync(`${path}-wal`)
    log.writeUInt8(log.readUInt8(log.length >> 1) ^ 1, log.length >> 1)
    writeFileSync(`${path}-wal`, log)

    await expect(SqliteStorage.open({ path, ...options })).rejects.toMatchObject({ code: "CORRUPT", path })
    expect(readFileSync(`${path}-wal`)).toEqual(log)
    await using untouched = await SqliteStorage.open({ path, untouched: true })
    expect(await untouched.check()).toHaveLength(1)
  },
)

/** The log of a database that was killed, of some transactions. */
async function newLog({ isReused = false } = {}) {
  const folder = await temporaryFolder()
  const path = join(folder.path, "a.db")
  const copy = join(folder.path, "b.db")
  const database = new SqliteDatabase(path)
  database.pragma(`page_size = ${PAGE}`)
  database.pragma("journal_mode = WAL")
  database.exec("CREATE TABLE numbers (number INTEGER, text TEXT)")
  const insert = database.prepare("INSERT INTO numbers VALUES (?, hex(randomblob(600)))")
  for (let number = 0; number < 8; number++) insert.run(number)
  if (isReused) {
    database.pragma("wal_checkpoint(RESTART)")
    insert.run(8)
  }
  const [log, base] = [readFileSync(`${path}-wal`), readFileSync(path)]
  database.close()
  writeFileSync(`${path}-wal`, log)
  writeFileSync(path, base)
  const rowsOf = () => {
    copyFileSync(path, copy)
    copyFileSync(`${path}-wal`, `${copy}-wal`)
    const opened = new SqliteDatabase(copy)
    try {
      return opened.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0
        ? -1
        : (opened.prepare("SELECT count(*) FROM numbers").pluck().get() as number)
    } finally {
      opened.close()
    }
  }
  return {
    path: `${path}-wal`,
    size: log.length,
    rows: 8,
    rowsOf,
    flip: (position: number) => {
      const content = readFileSync(`${path}-wal`)
      content.writeUInt8(content.readUInt8(position) ^ 4, position)
      writeFileSync(`${path}-wal`, content)
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { encodeKey, type Key, StorageError } from "@sessile/core/storage"
import SqliteDatabase from "better-sqlite3"
import { SqliteStorage } from "../sqlite-storage.js"

/** What came of reading a damaged store; `wrong`, `silent` and `raw` must not happen. */
export type Outcome = "right" | "typed" | "named" | "wrong" | "silent" | "raw"

/** Records of a store before it is damaged, by encoded key. */
export type Contents = ReadonlyMap<string, string>

const SESSIONS = 60

/** Makes a store of a few hundred records in a folder, with a log of what was written last, and with pages that are free. */
export async function makeStore(folder: string, hasLog: boolean): Promise<Contents> {
  const path = join(folder, "store.db")
  const storage = await SqliteStorage.open({ path })
  const contents = new Map<string, string>()
  const write = async (key: Key, value: unknown) => {
    await storage.write(key, value)
    contents.set(encodeKey(key), JSON.stringify(value))
  }
  for (let number = 0; number < 40; number++) await storage.write(["removed", `r${number}`], "x".repeat(900))
  for (let number = 0; number < 40; number++) await storage.remove(["removed", `r${number}`])
  for (let number = 0; number < SESSIONS; number++) {
    const session = `ses_${String(number).padStart(4, "0")}`
    await write(["session", "p", session], { title: `Title ${number}`, time: { updated: (number * 7) % 31 } })
    for (let message = 0; message < 4; message++) {
      const text = "A sentence of some length. ".repeat((number * 13 + message * 29) % 47)
      await write(["message", session, `msg_${message}`], { role: "user", text })
    }
  }
  await write(["part", "large"], { text: "Large ".repeat(6_000) })
  if (!hasLog) {
    await storage.close()
    return contents
  }
  const other = new SqliteDatabase(path)
  other.pragma("wal_checkpoint(TRUNCATE)")
  for (let number = 0; number < 30; number++)
    await write(["late", `l${number}`], { number, text: "Late. ".repeat(60) })
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const)
  other.close()
  await storage.close()
  for (const [name, content] of files) if (!name.endsWith("-shm")) writeFileSync(join(folder, name), content)
  return contents
}

/** Copies a store, with one of its files damaged. */
export function copyDamaged(from: string, to: string, random: () => number): string {
  for (const name of readdirSync(to)) rmSync(join(to, name))
  const names = readdirSync(from)
  for (const name of names) copyFileSync(join(from, name), join(to, name))
  const name = names[Math.floor(random() * names.length)] as string
  const content = readFileSync(join(from, name))
  // A log that is cut short is what a crash leaves, and nobody can know what would have followed.
  const { damaged, what } = damage(content, random, !name.endsWith("-wal"))
  writeFileSync(join(to, name), damaged)
  return `${name}: ${what}`
}

function damage(
  content: Buffer,
  random: () => number,
  mayCut: boolean,
): { readonly damaged: Buffer; readonly what: string } {
  const position = Math.floor(random() * content.length)
  const length = 1 + Math.floor(2 ** (random() * 14))
  const kind = random()
  if (kind < 0.1 && mayCut) return { damaged: content.subarray(0, position), what: `cut at ${position}` }
  if (kind < 0.3) {
    content.fill(0, position, Math.min(content.length, position + length))
    return { damaged: content, what: `zeros at ${position}, ${length} bytes` }
  }
  if (kind < 0.4) {
    for (let index = position; index < Math.min(content.length, position + length); index++) {
      content[index] = Math.floor(random() * 256)
    }
    return { damaged: content, what: `noise at ${position}, ${length} bytes` }
  }
  // Half of the flips are where pages keep their structure: at their beginnings.
  const place = kind < 0.7 ? position : position - (position % 4_096) + (position % 64)
  const bit = 1 << Math.floor(random() * 8)
  content[place] = (content[place] as number) ^ bit
  return { damaged: content, what: `bit ${bit} at ${place}` }
}

/** Reads all that a store gives, in every way, with its check. */
export async function readDamaged(
  path: string,
  options: { readonly untouched?: boolean },
  expected: Contents,
): Promise<Outcome> {
  try {
    await using storage = await SqliteStorage.open({ path, ...options })
    const isNamed = (await storage.check()).length > 0
    const found = new Map<string, string>()
    let invalid = 0
    for await (const page of storage.scanTexts()) {
      for (const entry of page) {
        if ("text" in entry) found.set(entry.key, JSON.stringify(JSON.parse(entry.text)))
        else invalid++
      }
    }
    let missing = 0
    for (const [key, entry] of (await storage.readTexts([...expected.keys()])).entries()) {
      const text = entry && "text" in entry ? JSON.stringify(JSON.parse(entry.text)) : undefined
      if (text === undefined && !(entry !== undefined && "error" in entry)) missing++
      if (text !== undefined && text !== [...expected.values()][key]) return "wrong"
    }
    const ids: string[] = []
    const onCorrupt = () => invalid++
    for await (const { key } of storage.find("sessions-by-updated", { onCorrupt })) ids.push(encodeKey(key))
    if (new Set(ids).size < SESSIONS) missing++
    for (const [key, text] of found) if (expected.get(key) !== text) return "wrong"
    if (found.size === expected.size && missing === 0) return isNamed || invalid > 0 ? "named" : "right"
    return isNamed || invalid > 0 ? "named" : "silent"
  } catch (error) {
    return StorageError.is(error) ? "typed" : "raw"
  }
}

/** Numbers between 0 and 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

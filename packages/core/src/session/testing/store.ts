import { readdirSync, readFileSync } from "node:fs"
import { compareMessages, compareParts } from "../../identifier/compare.js"
import { Message } from "../../model/message.js"
import { Part } from "../../model/part.js"
import { Session } from "../../model/session.js"
import { MemoryStorage } from "../../storage/memory-storage.js"
import type { MessageWithParts } from "../message-with-parts.js"

const stores = new URL("../../../../../test-suites/fixtures/opencode/", import.meta.url)

type StoreName = "v1.0.61" | "v1.1.65" | "v1.1.65-id-wrap"

/** A session of a store that opencode wrote, with all its messages in order. */
export interface StoredSession {
  readonly session: Session
  readonly messages: readonly MessageWithParts[]
}

/** All sessions of a store, oldest first. */
export function readStore(name: StoreName): StoredSession[] {
  const parts = read(name, "part").map((record) => Part.parse(record))
  const messages = read(name, "message")
    .map((record) => Message.parse(record))
    .sort(compareMessages)
    .map((info) => ({
      info,
      parts: parts.filter(({ messageID }) => messageID === info.id).sort(compareParts),
    }))
  return read(name, "session")
    .map((record) => Session.parse(record))
    .sort((a, b) => a.time.created - b.time.created)
    .map((session) => ({ session, messages: messages.filter(({ info }) => info.sessionID === session.id) }))
}

/** The session of that title. */
export function readSession(store: StoreName, title: string): StoredSession {
  const found = readStore(store).find(({ session }) => session.title === title)
  if (found === undefined) throw new Error(`The store ${store} has no session called ${title}`)
  return found
}

/** The records of a store, for a test to work on. */
export async function copyStore(name: StoreName): Promise<MemoryStorage> {
  const storage = new MemoryStorage()
  await storage.batch(
    recordPaths(name).map((path) => ({
      type: "write",
      key: path.replace(/\.json$/, "").split("/"),
      value: JSON.parse(readFileSync(new URL(path, storageFolder(name)), "utf8")),
    })),
  )
  return storage
}

function read(store: StoreName, kind: string): unknown[] {
  return recordPaths(store)
    .filter((path) => path.startsWith(`${kind}/`))
    .map((path) => JSON.parse(readFileSync(new URL(path, storageFolder(store)), "utf8")))
}

function recordPaths(store: StoreName): string[] {
  const paths = readdirSync(storageFolder(store), { recursive: true, encoding: "utf8" })
  return paths.map((path) => path.replaceAll("\\", "/")).filter((path) => path.endsWith(".json"))
}

function storageFolder(store: StoreName): URL {
  return new URL(`${store}/storage/`, stores)
}

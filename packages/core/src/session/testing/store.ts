import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compareMessages, compareParts } from "../../identifier/compare.js"
import { Message } from "../../model/message.js"
import { Part } from "../../model/part.js"
import { Session } from "../../model/session.js"
import type { MessageWithParts } from "../message-with-parts.js"

const stores = new URL("../../../../../test-suites/fixtures/opencode/", import.meta.url)

/** A session of a store that opencode wrote, with all its messages in order. */
export interface StoredSession {
  readonly session: Session
  readonly messages: readonly MessageWithParts[]
}

/** All sessions of a store, oldest first. */
export function readStore(name: "v1.0.61" | "v1.1.65" | "v1.1.65-id-wrap"): StoredSession[] {
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
export function readSession(store: Parameters<typeof readStore>[0], title: string): StoredSession {
  const found = readStore(store).find(({ session }) => session.title === title)
  if (found === undefined) throw new Error(`The store ${store} has no session called ${title}`)
  return found
}

function read(store: string, kind: string): unknown[] {
  const folder = fileURLToPath(new URL(`${store}/storage/${kind}/`, stores))
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .map((path) => JSON.parse(readFileSync(`${folder}${path}`, "utf8")))
}

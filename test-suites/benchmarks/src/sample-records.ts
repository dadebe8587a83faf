import { createIdentifiers, type Identifiers } from "@sessile/core/identifier"

/** What the stores are given to keep. */
export interface SampleRecord {
  readonly key: readonly string[]
  readonly value: Record<string, unknown>
}

/** A session as the stores give it back, as far as it matters here. */
export interface SampleSession extends Record<string, unknown> {
  readonly id: string
  readonly parentID?: string
  readonly time: { readonly created: number; readonly updated: number }
}

/** The project of all sessions. */
export const project = { id: "5f4dcc3b5aa765d61d8327deb882cf99a1b2c3d4", worktree: "/home/dev/code/acme" }

const START = Date.UTC(2026, 0, 1)
const CHILDREN = 9

/** Messages of about 1 KB each, as an assistant writes them, in sessions of a hundred; always the same ones. */
export function messages(count: number): SampleRecord[] {
  const { identifiers, now } = clockwork()
  let session = ""
  return Array.from({ length: count }, (_, index) => {
    if (index % 100 === 0) session = identifiers.descending("session")
    const id = identifiers.ascending("message")
    return { key: ["message", session, id], value: message(id, session, now(), index) }
  })
}

/** Sessions, each with its messages, and five parts of about 300 bytes for each of them. */
export function conversations(
  count: number,
  messageCount: number,
): { readonly id: string; readonly records: SampleRecord[] }[] {
  const clock = clockwork()
  return Array.from({ length: count }, () => conversation(messageCount, clock))
}

function conversation(
  messageCount: number,
  { identifiers, now }: ReturnType<typeof clockwork>,
): { readonly id: string; readonly records: SampleRecord[] } {
  const sessionID = identifiers.descending("session")
  const records: SampleRecord[] = []
  for (let index = 0; index < messageCount; index++) {
    const messageID = identifiers.ascending("message")
    records.push({
      key: ["message", sessionID, messageID],
      value: message(messageID, sessionID, now(), index),
    })
    for (let part = 0; part < 5; part++) {
      const id = identifiers.ascending("part")
      const text = "All play and no work. ".repeat(8)
      records.push({
        key: ["part", messageID, id],
        value: { id, sessionID, messageID, type: "text", text, time: { start: now() } },
      })
    }
  }
  return { id: sessionID, records }
}

/**
 * Sessions of one project in groups of ten, the first of which is the parent of the others, so that every parent
 * has nine children however many sessions there are. They were last updated in another order than that of their keys.
 */
export function sessions(
  count: number,
): { readonly key: readonly string[]; readonly value: SampleSession }[] {
  const { identifiers, now } = clockwork()
  const { id: projectID, worktree: directory } = project
  let parentID = ""
  return Array.from({ length: count }, (_, index) => {
    const id = identifiers.descending("session")
    const isParent = index % (CHILDREN + 1) === 0
    if (isParent) parentID = id
    // A prime that divides no power of ten visits every session once.
    const updated = START + count + ((index * 7919) % count)
    const value = {
      id,
      version: "1.0.0",
      projectID,
      directory,
      ...(isParent ? {} : { parentID }),
      title: `Session ${index}: ${"all work and no play ".repeat(3)}`,
      time: { created: now(), updated },
      summary: { additions: index % 97, deletions: index % 89, files: index % 13 },
    }
    return { key: ["session", projectID, id], value }
  })
}

function clockwork(): { readonly identifiers: Identifiers; readonly now: () => number } {
  let time = START
  const identifiers = createIdentifiers({ clock: () => time++, random: (size) => new Uint8Array(size) })
  return { identifiers, now: () => time }
}

function message(id: string, sessionID: string, time: number, index: number): Record<string, unknown> {
  return {
    id,
    sessionID,
    role: "assistant",
    time: { created: time, completed: time + 1500 },
    parentID: id,
    modelID: "large",
    providerID: "example",
    mode: "build",
    agent: "build",
    path: { cwd: "/home/dev/code/acme", root: "/home/dev/code/acme" },
    cost: index / 1000,
    tokens: { input: 1200 + index, output: 52, reasoning: 7, cache: { read: 300, write: 0 } },
    finish: "stop",
    summary: { title: `Turn ${index}`, body: "All work and no play. ".repeat(24) },
  }
}

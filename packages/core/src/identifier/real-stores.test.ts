import { readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { compareIdentifiers, compareMessages, compareParts } from "./compare.js"
import { isGeneratedIdentifier } from "./format.js"
import { timestamp } from "./timestamp.js"

const stores = new URL("../../../../test-suites/fixtures/opencode/", import.meta.url)

describe("a store that opencode wrote across the wrap", () => {
  const messages = read("v1.1.65-id-wrap", "message")
  const parts = read("v1.1.65-id-wrap", "part")
  const chronological = messages.toSorted((a, b) => a.time.created - b.time.created).map(({ id }) => id)

  it("bytes would put its messages in the wrong order", () => {
    expect(messages.map(({ id }) => id).sort()).not.toEqual(chronological)
  })

  it("compareMessages and compareIdentifiers put its messages in chronological order", () => {
    expect(messages.toSorted(compareMessages).map(({ id }) => id)).toEqual(chronological)
    expect(messages.map(({ id }) => id).sort(compareIdentifiers)).toEqual(chronological)
  })

  it("compareParts puts its parts in the order of their messages", () => {
    const owners = parts.toSorted(compareParts).map(({ messageID }) => messageID)
    expect([...new Set(owners)]).toEqual(chronological)
  })

  it("compareIdentifiers puts its sessions newest first", () => {
    const ids = read("v1.1.65-id-wrap", "session").map(({ id }) => id)
    expect(ids.sort(compareIdentifiers)).toEqual([
      "ses_ffffe89caffes5vwTPpMBRIhMC",
      "ses_00002a876ffeK9w2x6HfnEOwMf",
    ])
  })
})

describe.each(["v1.0.61", "v1.1.65", "v1.1.65-id-wrap"])("the ids of store %s", (store) => {
  it("have the generated form", () => {
    for (const entity of ["session", "message", "part"] as const) {
      const ids = read(store, entity).map(({ id }) => id)
      expect(ids).not.toEqual([])
      expect(ids.filter((id) => !isGeneratedIdentifier(entity, id))).toEqual([])
    }
  })

  it("give the time at which each session was created", () => {
    expect(Math.max(...read(store, "session").map(distance))).toBeLessThan(10)
  })

  // The messages of a fork get new ids, but keep the times of the messages that they copy.
  it("give the time at which each message outside forks was created", () => {
    const forks = read(store, "session").filter(({ title }) => title.includes("(fork #"))
    const originals = read(store, "message").filter((message) =>
      forks.every(({ id }) => id !== message.sessionID),
    )
    expect(Math.max(...originals.map(distance))).toBeLessThan(10)
  })
})

interface StoredRecord {
  id: string
  sessionID: string
  messageID: string
  title: string
  time: { created: number }
}

function distance({ id, time }: StoredRecord): number {
  return Math.abs(timestamp(id, time.created) - time.created)
}

function read(store: string, kind: string): StoredRecord[] {
  const folder = fileURLToPath(new URL(`${store}/storage/${kind}/`, stores))
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .map((path) => ({ ...JSON.parse(readFileSync(`${folder}${path}`, "utf8")), id: basename(path, ".json") }))
}

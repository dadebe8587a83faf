import { encodeKey, type Key, type TextRecord } from "@sessile/core/storage"
import { copyDatabase, type DatabaseName } from "@sessile/fixtures"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { add, fit } from "./testing/lines.js"
import {
  message,
  messageID,
  part,
  partID,
  project,
  projectID,
  record,
  session,
  sessionID,
  wholeSession,
} from "./testing/records.js"

// Any JSON, but now and then what opencode would write.
const anything = fc.jsonValue({ maxDepth: 3, stringUnit: "binary" })
const likely = (...values: unknown[]) => fc.oneof(anything, fc.constantFrom(...values))
const time = fc.dictionary(
  fc.constantFrom("created", "updated", "compacting", "archived", "initialized", "note"),
  likely(1, 1.5, -1, 2 ** 60, 1e300, null, "1"),
)

const bodies: Record<string, fc.Arbitrary<unknown>> = {
  project: object({
    id: likely("p"),
    worktree: likely("/w", ""),
    vcs: likely("git"),
    sandboxes: likely([], ["/s"]),
    icon: object({ url: likely("u"), override: likely("o"), color: likely("red"), extra: anything }),
    commands: likely({ start: "x" }),
    name: likely("n", ""),
  }),
  session: object({
    id: likely("other"),
    projectID: likely("other"),
    slug: likely("a-b", ""),
    directory: likely("/d"),
    title: likely("T", "\\u0000", "\\ud800"),
    path: likely(""),
    permission: likely([], [{ permission: "x" }]),
    summary: object({ additions: likely(1, 0.5), deletions: likely(2), files: likely(3), diffs: likely([]) }),
    share: likely({ url: "u" }, { url: "u", secret: "s" }),
    revert: likely(
      { messageID },
      { messageID: "x" },
      { messageID, partID: "x" },
      { messageID, partID, diff: "" },
    ),
    model: likely({ id: "m", providerID: "p" }, { id: "m" }),
    metadata: likely({}, { a: 1 }),
    cost: likely(1),
  }),
  message: object({
    id: likely("x"),
    sessionID: likely("x"),
    role: likely("user", "assistant"),
    agent: likely("build"),
    __proto__x: anything,
    filledBySessile: likely(["agent"], ["role", 1]),
  }),
  part: object({
    id: likely("x"),
    sessionID: likely(sessionID, "x", null),
    messageID: likely("x"),
    type: likely("text", "step-finish", "reasoning"),
  }),
  todo: fc.oneof(
    fc.array(
      object({ id: likely("1"), content: likely("c", ""), status: likely("s"), priority: likely("p") }),
      { minLength: 1 },
    ),
    anything,
  ),
  session_share: object({ id: likely("i"), secret: likely("s", ""), url: likely("u") }),
}

const keys: Record<string, Key> = {
  project: ["project", projectID],
  session: ["session", projectID, sessionID],
  message: ["message", sessionID, messageID],
  part: ["part", messageID, partID],
  todo: ["todo", sessionID],
  session_share: ["session_share", sessionID],
}

describe.each<DatabaseName>(["migrated-by-1.2.27", "migrated-by-1.15.13", "empty-1.18.34"])(
  "in %s",
  (name) => {
    test.each(Object.keys(bodies))("any %s is read back as `fit` says", { timeout: 60_000 }, async (kind) => {
      await using copy = await copyDatabase(name)
      await using storage = await OpencodeStorage.open({ path: copy.database })
      await storage.addTexts(wholeSession)
      storage.fit(message)
      let count = 0
      await fc.assert(
        fc.asyncProperty(bodies[kind] as fc.Arbitrary<unknown>, fc.boolean(), async (body, isWritten) => {
          // Ids of their own, so that all of them fit into one database.
          const suffix = String(count++)
          const key = (keys[kind] as Key).map((segment, index, all) =>
            index === all.length - 1 ? segment + suffix : segment,
          )
          const original = isWritten ? written(key, body) : record(key, body)
          const fitted = fit(storage, original)
          const [outcome] = await add(storage, original)
          if ("refused" in fitted) {
            expect(outcome).toMatchObject({ error: { code: "INVALID_VALUE" } })
            return
          }
          expect(outcome).toBeUndefined()
          expect(await storage.readTexts([original.key])).toEqual([{ key: original.key, text: fitted.text }])
          // What was read back is all that the store can hold, and nothing of it is lost.
          const { text } = fitted
          const again = storage.fit({ key: original.key, text }) ?? { text, lost: [] }
          expect(again).toMatchObject({ text, lost: [] })
          // Replacing comes to the same as adding.
          await storage.writeTexts([original])
          expect(await storage.readTexts([original.key])).toEqual([{ key: original.key, text: fitted.text }])
        }),
        { numRuns: 50 },
      )
    })
  },
)

test("a project that is there stays as opencode has it, and counts as that", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const key = encodeKey(["project", projectID])
  const [kept] = await storage.readTexts([key])
  const older = record(["project", projectID], {
    id: projectID,
    worktree: "/home/dev/code/acme",
    vcs: "git",
    name: "Acme",
    time: { created: 1, updated: 2 },
  })
  expect(storage.fit(older)).toEqual({
    text: (kept as { text: string }).text,
    lost: ["name", "time.created"],
  })
  expect(await storage.addTexts([older])).toEqual([kept])
})

test("a session that opencode has moved to another project is refused, before and when it is added", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  const [[, , id = ""] = []] = await storage.list(["session"])
  const moved = record(["session", "global", id], { id, title: "Where it was" })
  expect(storage.fit(moved)).toEqual({ refused: "There is already a session of this id in another place" })
  expect(await storage.addTexts([moved])).toMatchObject([{ error: { code: "INVALID_KEY" } }])
})

test.each<[string, Key, unknown]>([
  ["a message", ["message", sessionID, messageID], "text"],
  ["a session", ["session", projectID, sessionID], null],
  ["a list of to-dos", ["todo", sessionID], {}],
  ["a key of another length", ["session", sessionID], {}],
])("%s of another form is refused, with the reason", async (_, key, value) => {
  await using copy = await copyDatabase("empty-1.18.34")
  await using storage = await OpencodeStorage.open({ path: copy.database })
  expect(storage.fit({ key: encodeKey(key), text: JSON.stringify(value) })).toEqual({
    refused: expect.any(String),
  })
  await expect(storage.write(key, value)).rejects.toMatchObject({ code: "INVALID_VALUE", key })
})

describe("a part written as opencode writes it", () => {
  const ids = `{\n  "id": "${partID}",\n  "sessionID": "${sessionID}",\n  "messageID": "${messageID}",\n  `
  const key = encodeKey(["part", messageID, partID])

  test.each([
    ["a plain body", '"type": "text",\n  "text": "Done"\n}'],
    [
      "numbers of any form",
      '"type": "text",\n  "a": 1.0,\n  "b": -0,\n  "c": 1E5,\n  "d": 12345678901234567890\n}',
    ],
    ["escapes that are not needed", '"type": "text",\n  "\\u0061": "\\/\\u00e9é"\n}'],
    ["a property twice", '"type": "text",\n  "a": [],\n  "a": {}\n}'],
    [
      "ids further inside",
      '"type": "tool",\n  "state": {\n    "id": "x",\n    "filledBySessile": null\n  }\n}',
    ],
    [
      "the deepest JSON",
      `"type": "text",\n  "a": ${JSON.stringify(nested(999), undefined, 2).replaceAll("\n", "\n  ")}\n}`,
    ],
  ])("is kept as it is: %s", async (_, body) => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const text = ids + body
    const part = { key, text }
    for (const owner of [project, session, message]) storage.fit(owner)
    expect(fit(storage, part)).toEqual({ text, lost: [] })
    await add(storage, project, session, message, part)
    expect(await storage.readTexts([key])).toEqual([{ key, text }])
  })

  test.each(["id", "sessionID", "messageID", "filledBySessile"])(
    "with %s once more it is not, and it is told what is kept",
    async (name) => {
      await using copy = await copyDatabase("empty-1.18.34")
      await using storage = await OpencodeStorage.open({ path: copy.database })
      const text = `${ids}"type": "text",\n  "${name}": [\n    "text"\n  ]\n}`
      const part = { key, text }
      for (const owner of [project, session, message]) storage.fit(owner)
      const fitted = fit(storage, part)
      expect(fitted).toMatchObject({ text: expect.not.stringMatching(text) })
      await add(storage, project, session, message, part)
      expect(await storage.readTexts([key])).toEqual([{ key, text: (fitted as { text: string }).text }])
    },
  )

  test("with the ids of another place it is not", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts([project, session, message])
    const { text } = part
    for (const id of [partID, sessionID, messageID]) {
      const moved = text.replace(id, `${id.slice(0, -1)}_`)
      const record = { key, text: moved }
      const fitted = fit(storage, record)
      expect(fitted).toMatchObject({ text: id === sessionID ? moved : text })
      await add(storage, record)
      expect(await storage.readTexts([key])).toEqual([{ key, text: (fitted as { text: string }).text }])
      await storage.remove(["part", messageID, partID])
    }
  })
})

/** A record with its ids in front, as opencode writes it and as a conversion hands it over. */
function written(key: Key, body: unknown): TextRecord {
  const [kind, owner, id] = key
  const ids = { message: { id, sessionID: owner }, part: { id, sessionID, messageID: owner } }[kind as string]
  return record(key, ids === undefined ? body : Object.assign({ ...ids }, body, ids))
}

function nested(levels: number): unknown {
  return levels === 0 ? 0 : [nested(levels - 1)]
}

function object(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.record({ ...fields, time, extra: anything }, { requiredKeys: [] })
}

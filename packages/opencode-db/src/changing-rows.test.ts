import { copyDatabase } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import {
  message,
  messageID,
  part,
  partID,
  projectID,
  record,
  session,
  sessionID,
  wholeSession,
} from "./testing/records.js"

describe("changing what is there", () => {
  test("replacing an owner keeps what belongs to it", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts(wholeSession)
    const todo = record(["todo", sessionID], [{ content: "b", status: "pending", priority: "low" }])
    const renamed = { ...session, text: session.text.replace("A session", "Another title") }
    await storage.writeTexts([renamed, todo])
    expect(await storage.readTexts([renamed.key, message.key, part.key, todo.key])).toEqual([
      renamed,
      message,
      part,
      todo,
    ])
    await storage.write(["todo", sessionID], [])
    expect(await storage.list(["todo"])).toEqual([])
  })

  test("updates edit the record, in tables and in files", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts([...wholeSession, record(["share", sessionID], { url: "u", secret: "s" })])
    await storage.update<{ title: string }>(["session", projectID, sessionID], (draft) => {
      draft.title = "Edited"
    })
    expect(await storage.read(["session", projectID, sessionID])).toMatchObject({ title: "Edited" })
    await storage.update<{ url?: string; id?: string }>(["share", sessionID], (draft) => {
      delete draft.url
      draft.id = "i"
    })
    expect(await storage.read(["share", sessionID])).toEqual({ secret: "s", id: "i" })
    await storage.write(["session_diff", sessionID], [1, 2, 3])
    await storage.update<number[]>(["session_diff", sessionID], (draft) => void draft.shift())
    expect(await storage.read(["session_diff", sessionID])).toEqual([2, 3])
    for (const key of [
      ["session", projectID, "ses_x"],
      ["share", "ses_x"],
    ]) {
      await expect(storage.update(key, () => undefined)).rejects.toMatchObject({ code: "NOT_FOUND" })
    }
  })

  test("an owner is removed after what belongs to it, not before", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts([...wholeSession, record(["session_diff", sessionID], [])])
    const owners = [
      ["project", projectID],
      ["session", projectID, sessionID],
      ["message", sessionID, messageID],
    ]
    for (const key of owners) {
      await expect(storage.remove(key)).rejects.toMatchObject({ code: "UNSUPPORTED", key })
    }
    expect(await storage.readTexts([part.key])).toEqual([part])
    const bottomUp = [["session_diff", sessionID], ["part", messageID, partID], ...owners.toReversed()]
    await storage.batch(bottomUp.map((key) => ({ type: "remove", key })))
    expect(await storage.list([])).toEqual([])
    await storage.remove(["session", projectID, sessionID])
    await storage.remove(["session", "too short"])
  })

  test("a batch that fails changes no row", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts(wholeSession)
    const operations = [
      { type: "write", key: ["session", projectID, "ses_new"], value: { title: "New" } },
      { type: "remove", key: ["session", projectID, sessionID] },
    ] as const
    await expect(storage.batch(operations)).rejects.toMatchObject({ code: "UNSUPPORTED" })
    expect(await storage.list(["session"])).toEqual([["session", projectID, sessionID]])
  })
})

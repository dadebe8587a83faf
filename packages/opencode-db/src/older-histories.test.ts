import { join } from "node:path"
import { decodeKey, type TextRecord } from "@sessile/core/storage"
import { copyDatabase, fixturePath, withSql } from "@sessile/fixtures"
import { JsonStorage, LegacyStorage } from "@sessile/storage-json"
import { describe, expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { gatherPages } from "./testing/gather.js"
import { messageTime, record, session, sessionID } from "./testing/records.js"

const model = { providerID: "anthropic", modelID: "claude" }
const ids = [
  "msg_1e184bea9001LXRoIgeOZSe7Q1",
  "msg_1e184beb9001LXRoIgeOZSe7Q2",
  "msg_1e184bec9001LXRoIgeOZSe7Q3",
]
const [question = "", answer = "", followUp = ""] = ids
const message = (id: string, fields: object) =>
  record(["message", sessionID, id], { id, sessionID, ...fields })
const part = (id: string, fields: object) =>
  record(["part", answer, id], { id, sessionID, messageID: answer, ...fields })

describe.each(["v1.0.61", "v0.5.29"] as const)("the history of %s", (name) => {
  test("is complete in the rows, which are read as what it was", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const records = await recordsOf(name)
    await storage.addTexts(records)

    const bodies = (table: string) => bodiesOf(copy.database, table)
    const users = bodies("message").filter(({ role }) => role === "user")
    expect(users).toHaveLength(9)
    for (const user of users)
      expect(user).toMatchObject({ agent: expect.any(String), model: expect.any(Object) })
    const answers = bodies("message").filter(({ role }) => role === "assistant")
    for (const { agent, mode, parentID } of answers) {
      expect(agent).toBe(mode)
      expect(parentID).toMatch(/^msg_/)
    }
    for (const step of bodies("part").filter(({ type }) => type === "step-finish")) {
      expect(["stop", "tool-calls"]).toContain(step.reason)
    }

    const back = await storage.readTexts(records.map(({ key }) => key))
    const fitted = records.map((item) => storage.fit(item) ?? { text: item.text, lost: [] })
    expect(back).toEqual(
      fitted.map((fit, index) => ({ key: records[index]?.key, text: "text" in fit && fit.text })),
    )
    for (const [index, fit] of fitted.entries()) {
      expect(fit).toMatchObject({ lost: [] })
      expect("text" in fit && JSON.parse(fit.text)).toEqual(JSON.parse(records[index]?.text ?? ""))
    }
  })

  test("is told to be completed, field by field, before it is", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    const filled = new Set<string>()
    for (const item of await recordsOf(name)) {
      const fitted = storage.fit(item)
      if (fitted !== undefined && "filled" in fitted)
        filled.add(`${decodeKey(item.key)[0]}: ${fitted.filled}`)
    }
    const expected = {
      "v1.0.61": ["message: agent", "message: agent,model"],
      "v0.5.29": ["message: agent,model", "message: parentID,agent", "part: reason"],
    }
    expect([...filled].sort()).toEqual(expected[name])
  })
})

describe("what a record lacks", () => {
  test("is what its neighbours tell, also those that were added before", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const time = (offset: number) => ({ created: messageTime + offset })
    await storage.addTexts([session, message(question, { role: "user", time: time(0) })])
    await storage.addTexts([
      message(answer, { role: "assistant", ...model, mode: "plan", time: time(1) }),
      message(followUp, { role: "user", time: time(2) }),
    ])
    expect(bodiesOf(copy.database, "message")).toMatchObject([
      { agent: "build", model },
      { parentID: question, agent: "plan", path: { cwd: "/home/dev/code/acme" }, cost: 0 },
      { agent: "plan", model },
    ])
  })

  test("is the end of a step that called tools, or that did not", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const types = ["step-start", "tool", "step-finish", "step-start", "reasoning", "step-finish"]
    const parts = types.map((type, index) => part(`prt_1e184beb900${index}oJ1hGoC6gnr9JI`, { type }))
    await storage.addTexts([session, message(answer, { role: "assistant" }), ...parts.toReversed()])
    const bodies = bodiesOf(copy.database, "part")
    expect(bodies.map(({ reason }) => reason).filter((reason) => reason !== undefined)).toEqual([
      "tool-calls",
      "stop",
    ])
    expect(bodies[4]).toMatchObject({ type: "reasoning", time: { start: expect.any(Number) } })
  })

  test("never takes the place of what it has", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const odd = message(question, { role: "user", agent: null, model: "one" })
    await storage.addTexts([session, odd])
    expect(bodiesOf(copy.database, "message")).toMatchObject([{ agent: null, model: "one" }])
    expect(storage.fit(odd)).toMatchObject({ filled: ["time"] })
  })

  test("is the record's own once somebody writes it", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    const key = ["message", sessionID, question]
    await storage.addTexts([session, message(question, { role: "user" })])
    await storage.update<{ agent: string }>(key, (draft) => {
      draft.agent = "mine"
    })
    expect(await storage.read(key)).toEqual({ id: question, sessionID, role: "user", agent: "mine" })
  })
})

async function recordsOf(name: "v1.0.61" | "v0.5.29"): Promise<TextRecord[]> {
  await using storage =
    name === "v0.5.29"
      ? await LegacyStorage.open({ path: fixturePath(name) })
      : await JsonStorage.open({ path: join(fixturePath(name), "storage"), readonly: true })
  const pages = await gatherPages(storage.scanTexts({ prefixes: [["message"], ["part"]] }))
  return pages.flatMap((entry) => ("text" in entry ? { key: entry.key, text: entry.text } : []))
}

function bodiesOf(path: string, table: string): Record<string, unknown>[] {
  return withSql(path, (database) =>
    database.prepare<[], string>(`SELECT data FROM ${table} ORDER BY id`).pluck().all(),
  ).map((data) => JSON.parse(data))
}

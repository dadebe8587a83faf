import { describe, expect, test } from "vitest"
import { AssistantMessage } from "./assistant-message.js"
import { checkModel } from "./check-model.js"
import { FileDiff } from "./file-diff.js"
import { ModelError } from "./model-error.js"
import { MessageID, PartID, ProjectID, SessionID } from "./model-id.js"
import { Part } from "./part.js"
import { Session } from "./session.js"
import { SessionShare } from "./share.js"
import { ToolState } from "./tool-state.js"

const session = {
  id: "ses_e1e7b40fcffebhjUdiNjWfb9m3",
  version: "1.1.12",
  title: "Add a test",
  time: { created: 1, updated: 2 },
}

const assistant = {
  id: "msg_1",
  sessionID: "ses_1",
  role: "assistant",
  time: { created: 1 },
  modelID: "large",
  providerID: "mock",
  path: { cwd: "/", root: "/" },
  cost: 0,
  tokens: { input: -12, output: 3, reasoning: 0, cache: { read: 0, write: -1 } },
}

const base = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1" }

describe("checking a record", () => {
  test("returns the record itself, unknown fields and the order of keys included", () => {
    const text =
      '{"later":{"a":1},"time":{"zone":"UTC","updated":2,"created":1},"title":"t","version":"1","id":"ses_1"}'
    const record: unknown = JSON.parse(text)
    expect(checkModel(Session, record)).toBe(record)
    expect(JSON.stringify(checkModel(Session, record))).toBe(text)
  })

  test("is needed because parsing moves unknown fields to the end", () => {
    const parsed = Session.parse({ later: 1, ...session })
    expect(parsed).toEqual({ later: 1, ...session })
    expect(Object.keys(parsed)).toEqual(["id", "version", "title", "time", "later"])
  })

  test("throws an error that names the fields and holds no value", () => {
    const check = () =>
      checkModel(Session, { ...session, id: "hunter2", time: { created: "hunter2", updated: 2 } })
    expect(check).toThrow(ModelError)
    expect(check).toThrow('Invalid record: id: Invalid id: must start with "ses_"; time.created: ')
    expect(check).not.toThrow("hunter2")
  })
})

test("ids are known by their prefix, whatever their length", () => {
  for (const [model, prefix] of [
    [SessionID, "ses_"],
    [MessageID, "msg_"],
    [PartID, "prt_"],
  ] as const) {
    expect(model.safeParse(`${prefix}ff2a3b4c5d6eXyZ123456789abcdefgh`).success).toBe(true)
    expect(model.safeParse(`${prefix}1`).success).toBe(true)
    expect(model.safeParse("sess_1").success).toBe(false)
    expect(model.safeParse(`x${prefix}1`).success).toBe(false)
  }
  expect(ProjectID.safeParse("any name").success).toBe(true)
  expect(ProjectID.safeParse("").success).toBe(false)
})

test("a session that is not archived may say null", () => {
  expect(Session.parse({ ...session, time: { ...session.time, archived: null } }).time.archived).toBeNull()
})

test("negative token counts are read as they are", () => {
  expect(AssistantMessage.parse(assistant).tokens.input).toBe(-12)
})

test("a message keeps an error of either form", () => {
  for (const error of [
    { name: "Unknown", message: "x" },
    { name: "UnknownError", data: { message: "x" } },
  ]) {
    expect(AssistantMessage.parse({ ...assistant, error }).error).toEqual(error)
  }
})

test("a share is read with an id and without", () => {
  const share = { secret: "s", url: "https://example.com/s/1" }
  expect(SessionShare.parse(share)).toEqual(share)
  expect(SessionShare.parse({ id: "1", ...share })).toEqual({ id: "1", ...share })
})

test("a diff is read with contents, and with a patch in their place", () => {
  const totals = { additions: 1, deletions: 0 }
  const whole = { file: '"caf\\303\\251"', before: "", after: "a\n", ...totals }
  const patch = { file: "a", patch: "+a", ...totals, status: "added" }
  expect(FileDiff.parse(whole)).toEqual(whole)
  expect(FileDiff.parse(patch)).toEqual(patch)
})

test("a pending tool call is read from releases that stored its status alone", () => {
  expect(ToolState.parse({ status: "pending" })).toEqual({ status: "pending" })
})

test("a completed tool call is read without title, metadata and time", () => {
  const state = { status: "completed", input: { command: "ls" }, output: "" }
  expect(ToolState.parse(state)).toEqual(state)
})

test.each([
  { type: "snapshot", snapshot: "4b825dc" },
  { type: "patch", hash: "4b825dc", files: ["/a.ts"] },
  { type: "subtask", prompt: "p", description: "d", agent: "general" },
  {
    type: "subtask",
    prompt: "p",
    description: "d",
    agent: "general",
    model: { providerID: "a", modelID: "b" },
  },
  {
    type: "retry",
    attempt: 1,
    error: { name: "APIError", message: "x", isRetryable: true },
    time: { created: 1 },
  },
  { type: "reasoning", text: "" },
  { type: "agent", name: "plan", source: { value: "@plan", start: 0, end: 5 } },
  {
    type: "file",
    mime: "text/plain",
    url: "file:///a.ts",
    source: { type: "resource", clientName: "c", uri: "x:1", text: { value: "@x", start: 0, end: 2 } },
  },
])("a part that no sample store holds is read: %j", (fields) => {
  const part = { ...base, ...fields }
  expect(Part.parse(part)).toEqual(part)
})

test.each([
  { type: "text" },
  { type: "unheard-of", text: "" },
  { type: "tool", callID: "1", tool: "bash", state: { status: "running", input: [], time: { start: 1 } } },
])("what is no part is refused: %j", (fields) => {
  expect(Part.safeParse({ ...base, ...fields }).success).toBe(false)
})

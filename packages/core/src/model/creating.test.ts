import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { newAssistantMessage } from "./assistant-message.js"
import { newFileDiff } from "./file-diff.js"
import { ModelError } from "./model-error.js"
import { type NewPart, newPart } from "./part.js"
import { newPermissionRule } from "./permission.js"
import { type NewProject, newProject } from "./project.js"
import { type NewSession, newSession } from "./session.js"
import { newSessionShare } from "./share.js"
import { newTodo } from "./todo.js"
import { newToolState } from "./tool-state.js"
import { newUserMessage } from "./user-message.js"

const session: NewSession = {
  id: "ses_1",
  slug: "quiet-harbor",
  version: "1.1.65",
  projectID: "global",
  directory: "/",
  title: "Add a test",
  time: { created: 1, updated: 1 },
}

const base = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1" }

describe("records that opencode 1.1.65 wrote are made again, key by key, in whatever order their fields come", () => {
  const makers = {
    project: (fields: never) => newProject(fields),
    session: (fields: never) => newSession(fields),
    message: (fields: { role: string }) =>
      fields.role === "user" ? newUserMessage(fields as never) : newAssistantMessage(fields as never),
    part: (fields: never) => newPart(fields),
    session_diff: (diffs: never[]) => diffs.map(newFileDiff),
    todo: (todos: never[]) => todos.map(newTodo),
  }

  test.each(Object.entries(makers))("%s", (kind, make) => {
    const texts = recordsOf(kind)
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) {
      const made = make(shuffled(JSON.parse(text)) as never)
      expect(JSON.stringify(made, null, 2)).toBe(JSON.stringify(JSON.parse(text, orderRules), null, 2))
    }
  })
})

describe("fields", () => {
  test("an unknown field is refused by name, at any depth", () => {
    const misspelt = { ...session, titel: "x", time: { created: 1, updated: 1, archive: 2 } }
    const make = () => newSession(misspelt)
    expect(make).toThrow(ModelError)
    expect(make).toThrow("Invalid Session: time.archive: unknown field; titel: unknown field")
  })

  test("a missing field is refused by name", () => {
    const { slug: _, ...rest } = session
    // @ts-expect-error slug is required
    expect(() => newSession(rest)).toThrow(/^Invalid Session: slug: /)
  })

  test("an id of the wrong prefix is refused", () => {
    expect(() => newSession({ ...session, id: "sess_1" })).toThrow("id: Invalid id")
    expect(() => newSession({ ...session, parentID: "msg_1" })).toThrow("parentID: Invalid id")
    expect(() => newPart({ ...base, messageID: "ses_1", type: "compaction", auto: true })).toThrow(
      "messageID: ",
    )
  })

  test("the error lists its issues and holds no value", () => {
    const make = () => newSession({ ...session, id: "hunter2", title: { hunter2: "hunter2" } as never })
    expect(make).toThrow(
      expect.objectContaining({
        code: "INVALID_MODEL",
        model: "Session",
        issues: [
          { path: ["id"], problem: expect.any(String) },
          { path: ["title"], problem: expect.any(String) },
        ],
      }),
    )
    expect(make).not.toThrow("hunter2")
  })

  test("a field that is undefined is left out, at any depth", () => {
    const made = newSession({
      ...session,
      parentID: undefined,
      time: { created: 1, updated: 1, archived: undefined },
    })
    expect(made).toStrictEqual(session)
  })

  test("the record shares nothing with what it was made from", () => {
    const input = { list: [{ a: 1 }] }
    const state = newToolState({ status: "running", input, time: { start: 1 } })
    input.list.push({ a: 2 })
    expect(state.input).toEqual({ list: [{ a: 1 }] })
  })

  test("free-form objects keep every key that JSON allows", () => {
    const text = '{"__proto__":{"a":1},"b":null}'
    const state = newToolState({ status: "pending", input: JSON.parse(text), raw: text })
    expect(JSON.stringify(state.input)).toBe(text)
  })
})

test("a message has the role of its constructor", () => {
  const fields = {
    id: "msg_1",
    sessionID: "ses_1",
    time: { created: 1 },
    agent: "build",
    model: { providerID: "mock", modelID: "large" },
  }
  expect(newUserMessage(fields).role).toBe("user")
  expect(() => newUserMessage({ ...fields, role: "assistant" } as never)).toThrow("role: ")
})

test("token counts that we write are not negative", () => {
  const tokens = { input: -1, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  const make = () => newPart({ ...base, type: "step-finish", reason: "stop", cost: 0, tokens })
  expect(make).toThrow("Invalid Part: tokens.input: ")
})

test("a part is checked against its own type", () => {
  const part: NewPart<"patch"> = newPart({ files: ["/a.ts"], ...base, hash: "4b825dc", type: "patch" })
  expect(Object.keys(part)).toEqual(["id", "sessionID", "messageID", "type", "hash", "files"])
  // @ts-expect-error a patch has no text
  expect(() => newPart({ ...base, type: "patch", hash: "4b825dc", files: [], text: "x" })).toThrow(
    "text: unknown",
  )
  // @ts-expect-error no such type
  expect(() => newPart({ ...base, type: "unheard-of" })).toThrow("Invalid Part: type: ")
})

test("a project of today has sandboxes and the time of its last use", () => {
  const project: NewProject = { id: "global", worktree: "/", sandboxes: [], time: { created: 1, updated: 1 } }
  expect(newProject(project)).toEqual(project)
  // @ts-expect-error as older releases wrote it
  expect(() => newProject({ id: "global", worktree: "/", time: { created: 1 } })).toThrow(
    /sandboxes: .*time.updated: /,
  )
})

test("a share is made with its id, a rule in the order permission, pattern, action", () => {
  const share = newSessionShare({ url: "https://example.com/s/1", secret: "s", id: "1" })
  expect(Object.keys(share)).toEqual(["id", "secret", "url"])
  const rule = newPermissionRule({ action: "ask", pattern: "*", permission: "bash" })
  expect(Object.keys(rule)).toEqual(["permission", "pattern", "action"])
})

function recordsOf(kind: string): string[] {
  const fixtures = new URL("../../../../test-suites/fixtures/opencode/v1.1.65/storage", import.meta.url)
  const folder = join(fileURLToPath(fixtures), kind)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
}

// opencode writes rules in two orders, depending on where they come from; ours have one.
function orderRules(key: string, value: unknown): unknown {
  return key === "permission" && Array.isArray(value) ? value.map(newPermissionRule) : value
}

// The order inside free-form objects is their writer's, so only the fields of models change places.
const freeForm = ["input", "metadata", "tools", "responseHeaders"]

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(
    entries.map(([key, field]) => [key, freeForm.includes(key) ? field : shuffled(field)]),
  )
}

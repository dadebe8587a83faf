import { expect, it } from "vitest"
import { sessionIndexEntry } from "./session-index.js"
import { part, session, text, user, withParts } from "./testing/records.js"
import { readSession } from "./testing/store.js"

it("a real session is listed with its first and last question and its counts", () => {
  const { session: stored, messages } = readSession("v1.1.65", "Main line")
  expect(sessionIndexEntry(stored, messages)).toEqual({
    id: stored.id,
    title: "Main line",
    time: { created: 1794784935039, updated: 1794784935668 },
    summary: { additions: 3, deletions: 0, files: 1 },
    firstUserText: "Hello, what is here?",
    lastUserText: expect.stringMatching(/^Please think about\n/),
    messages: { user: 5, assistant: 8 },
  })
})

it("a session without messages has neither question nor summary", () => {
  expect(sessionIndexEntry(session({ id: "ses_1" }), [])).toEqual({
    id: "ses_1",
    title: "Session",
    time: { created: 1, updated: 1 },
    messages: { user: 0, assistant: 0 },
  })
})

it("what the program added is no question, nor are diffs part of the summary", () => {
  const diffs = [{ file: "a", before: "", after: "long", additions: 1, deletions: 0 }]
  const listed = session({ id: "ses_1", summary: { additions: 1, deletions: 0, files: 1, diffs } })
  const entry = sessionIndexEntry(listed, [
    withParts(user(), part({ type: "text", text: "added", synthetic: true }), text("asked")),
    withParts(user(), part({ type: "compaction", auto: true })),
    withParts(user(), part({ type: "text", text: "Continue", synthetic: true })),
  ])
  expect(entry).toMatchObject({ firstUserText: "asked", lastUserText: "asked", messages: { user: 3 } })
  expect(entry.summary).toEqual({ additions: 1, deletions: 0, files: 1 })
})

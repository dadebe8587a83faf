import { expect, test } from "vitest"
import { parseSince } from "./since.js"

const now = Date.UTC(2026, 8, 1)

test.each([
  ["12h", now - 12 * 3_600_000],
  ["30d", now - 30 * 86_400_000],
  ["4w", now - 28 * 86_400_000],
  ["2026-01-31", new Date(2026, 0, 31).getTime()],
  ["2026-01-31T18:30", new Date(2026, 0, 31, 18, 30).getTime()],
  ["2026-01-31T18:30:00Z", Date.UTC(2026, 0, 31, 18, 30)],
])("%s is a time of this place", (text, expected) => {
  expect(parseSince(text, now)).toBe(expected)
})

test.each([
  "",
  "yesterday",
  "2026-02-31",
  "2026-13-01",
  "2026",
  "-3d",
  "3 days",
  "2026-01-31T",
  "1700000000000",
])("%j is refused with the forms that are understood", (text) => {
  expect(() => parseSince(text, now)).toThrow("2026-01-31")
})

import { expect, test } from "vitest"
import { formatBytes, formatCount, formatCountOf, formatDuration, formatTime } from "./figures.js"

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_950, "1.0 MB"],
  [192_000_000, "192.0 MB"],
  [5e15, "5000.0 TB"],
])("%d bytes are %s", (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected)
})

test.each([
  [0.2, "1 s"],
  [59.5, "1 min 0 s"],
  [125, "2 min 5 s"],
  [7_260, "2 h 1 min"],
])("%d seconds are %s", (seconds, expected) => {
  expect(formatDuration(seconds)).toBe(expected)
})

test("counts have their thousands apart, and one is one", () => {
  expect(formatCount(179_264)).toBe("179,264")
  expect(formatCountOf(1, "record")).toBe("1 record")
  expect(formatCountOf(0, "record")).toBe("0 records")
})

test("times are those of this place; what is none is unknown", () => {
  expect(formatTime(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe("2026-01-02 03:04:05")
  expect(formatTime(Number.NaN)).toBe("unknown")
})

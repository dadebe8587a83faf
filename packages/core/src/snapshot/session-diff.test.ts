import { expect, it } from "vitest"
import { totalDiffs } from "./session-diff.js"

it("adds up lines and counts files", () => {
  const diffs = [
    { file: "a", additions: 2, deletions: 0 },
    { file: "b", additions: 0, deletions: 3, before: "x", after: "" },
    { file: "image.png", additions: 0, deletions: 0 },
  ]
  expect(totalDiffs(diffs)).toEqual({ additions: 2, deletions: 3, files: 3 })
  expect(totalDiffs([])).toEqual({ additions: 0, deletions: 0, files: 0 })
})

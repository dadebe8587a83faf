import { expect, test } from "vitest"
import { lockNotice } from "./lock-notice.js"

test("waiting is said after a second, and then now and then, for each wait anew", () => {
  const notes: string[] = []
  const notice = lockNotice({ note: (text: string) => notes.push(text) }, undefined)
  for (const waited of [100, 900, 1_000, 5_000, 16_000, 20_000, 100, 2_000]) notice(waited)
  expect(notes.map((note) => /\((\d+) s/.exec(note)?.[1])).toEqual(["1", "16", "2"])
})

import { expect, test } from "vitest"
import { checkSelection, SelectionError } from "./check-selection.js"
import { storageSource } from "./record-source.js"
import { conversation, storeOf } from "./testing/stores.js"

test.each([
  [{ sessions: ["ses_1"] }],
  [{ projects: ["p"], since: 0 }],
  [{ sessions: ["ses_2"], projects: ["p"] }],
])("%j is met", async (selection) => {
  await expect(checkSelection(storageSource(await storeOf(conversation)), selection)).resolves.toBeUndefined()
})

test.each([
  [{ sessions: ["ses_1", "ses_x"] }, { sessions: ["ses_x"], projects: [] }],
  [
    { projects: ["p", "q"], sessions: ["ses_y"] },
    { sessions: ["ses_y"], projects: ["q"] },
  ],
  [{ since: 1e15 }, { sessions: [], projects: [] }],
  [
    { sessions: ["ses_1"], since: 1e15 },
    { sessions: [], projects: [] },
  ],
])("%j is not met: the error names the values", async (selection, expected) => {
  const error = await checkSelection(storageSource(await storeOf(conversation)), selection).catch((e) => e)
  expect(error).toBeInstanceOf(SelectionError)
  expect(error).toMatchObject(expected)
  for (const value of [...expected.sessions, ...expected.projects]) expect(error.message).toContain(value)
})

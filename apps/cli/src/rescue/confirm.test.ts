import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { confirm } from "./confirm.js"

test.each([
  ["y\n", true],
  ["YES\n", true],
  [" yes \n", true],
  ["n\n", false],
  ["\n", false],
  ["yeah\n", false],
  ["", false],
])("%j means %s", async (answer, expected) => {
  const input = new PassThrough()
  const written: string[] = []
  input.end(answer)
  const dialogue = { input, output: { write: (text: string) => written.push(text) } }
  expect(await confirm("Go on?", { ...dialogue, signal: new AbortController().signal })).toBe(expected)
  expect(written).toEqual(["Go on? [y/N] "])
})

test("a question that is taken back is answered with no", async () => {
  const controller = new AbortController()
  const dialogue = { input: new PassThrough(), output: { write: () => true }, signal: controller.signal }
  const answer = confirm("Go on?", dialogue)
  controller.abort()
  expect(await answer).toBe(false)
})

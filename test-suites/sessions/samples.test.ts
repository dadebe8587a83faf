import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { blocks, runSample } from "./sample-program.js"

const suite = new URL(".", import.meta.url)

test("the sample of the README compiles as it stands, and does what it says", async () => {
  const [, sample = ""] =
    /<!-- example: sessions.ts -->\n```ts\n(.*?)```/s.exec(await readCore("README.md")) ?? []
  const [said, ...titles] = (await runSample(sample, suite)).trimEnd().split("\n")
  expect(said).toBe("Why does it fail?")
  // Both may be of the same millisecond.
  expect(titles.toSorted()).toEqual(["Fix the login", "Fix the login (fork #1)"])
})

test("the pieces of the guide are a program that compiles, and prints what the guide shows", async () => {
  const guide = await readCore("src/session/README.md")
  expect(await runSample(blocks(guide, "ts"), suite)).toBe(blocks(guide, "text"))
})

function readCore(name: string): Promise<string> {
  return readFile(new URL(`../../packages/core/${name}`, import.meta.url), "utf8")
}

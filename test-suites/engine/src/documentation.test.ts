import { readFile } from "node:fs/promises"
import { apiReference } from "@sessile/sessions-suite/api-reference"
import { blocks, runSample } from "@sessile/sessions-suite/sample-program"
import { expect, test } from "vitest"

const entries = ["engine", "permission"].map((name) => ({
  name: `@sessile/core/${name}`,
  declarations: new URL(`../../../packages/core/dist/${name}/index.d.ts`, import.meta.url),
}))

test("the pieces of the guide are a program that compiles, and prints what the guide shows", async () => {
  const path = new URL("../../../packages/core/src/engine/README.md", import.meta.url)
  const guide = await readFile(path, "utf8")
  expect(await runSample(blocks(guide, "ts"), new URL("..", import.meta.url))).toBe(blocks(guide, "text"))
})

test("the API reference says what the sources say; after a change, vitest -u writes it anew", async () => {
  await expect(apiReference(entries)).toMatchFileSnapshot("../../../packages/core/src/engine/API.md")
})

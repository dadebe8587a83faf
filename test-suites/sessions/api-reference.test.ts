import { expect, test } from "vitest"
import { apiReference } from "./api-reference.js"

const entries = ["session", "project", "snapshot", "event"].map((name) => ({
  name: `@sessile/core/${name}`,
  declarations: new URL(`../../packages/core/dist/${name}/index.d.ts`, import.meta.url),
}))

test("the API reference says what the sources say; after a change, vitest -u writes it anew", async () => {
  await expect(apiReference(entries)).toMatchFileSnapshot("../../packages/core/src/session/API.md")
})

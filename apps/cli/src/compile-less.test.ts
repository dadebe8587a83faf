import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"

const module = new URL("../dist/compile-less.js", import.meta.url)

test("no flag is set that this version of V8 does not know, of which it would speak", () => {
  const program = `import { compileLess } from ${JSON.stringify(module.href)}; compileLess()`
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program])
  expect(status).toBe(0)
  expect(stderr.toString()).toBe("")
})

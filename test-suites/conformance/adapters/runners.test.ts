import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { command, outcome } from "./run-command.js"

const brokenModule = `
  import { MemoryStorage } from ${JSON.stringify(import.meta.resolve("@sessile/core/storage"))}
  class Forgetful extends MemoryStorage {
    async write() {}
  }
  export const harness = { name: "forgetful", module: import.meta.url, create: async () => new Forgetful() }`

test("Node's own runner runs every contract, and fails for a store that forgets", async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, "harness.mjs"), brokenModule)
  const runner = JSON.stringify(import.meta.resolve("@sessile/conformance/node-test"))
  const file = join(folder.path, "suite.mjs")
  await writeFile(
    file,
    `import { conformanceTests } from ${runner}
    import { harness } from "./harness.mjs"
    await conformanceTests(harness)`,
  )
  const { stdout, code } = await outcome(process.execPath, ["--test", "--test-reporter=tap", file])
  expect(code).toBe(1)
  expect(Number(/^# pass (\d+)/m.exec(stdout)?.[1])).toBeGreaterThan(20)
  expect(Number(/^# fail (\d+)/m.exec(stdout)?.[1])).toBeGreaterThan(20)
  expect(Number(/^# skipped (\d+)/m.exec(stdout)?.[1])).toBeGreaterThan(5)
})

test("the command names what failed, and exits with 1", async () => {
  await using folder = await temporaryFolder()
  const module = join(folder.path, "harness.mjs")
  await writeFile(module, brokenModule)
  const { stdout, code } = await outcome(command, [module, "--only", "read-write/overwrite", "--seed", "7"])
  expect(code).toBe(1)
  expect(stdout).toContain("✗ read-write/overwrite")
  expect(stdout).toContain("Does not conform: 0 passed, 1 failed, 0 skipped  seed 7")
})

test("the command refuses to call a backend conforming when nothing was run", async () => {
  await using folder = await temporaryFolder()
  const module = join(folder.path, "harness.mjs")
  await writeFile(module, brokenModule)
  const { stdout, code } = await outcome(command, [module, "--only", "no-such-contract"])
  expect(code).toBe(1)
  expect(stdout).toContain("No contract was run")
})

test("the command explains wrong usage and missing harnesses", async () => {
  expect(await outcome(command, [])).toMatchObject({ code: 2, stderr: expect.stringContaining("Usage:") })
  expect(await outcome(command, ["--sed", "1", "x"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--sed"),
  })
  expect(await outcome(command, ["./no-such-harness.js"])).toMatchObject({ code: 3 })
  const noHarness = new URL("../dist/show.js", import.meta.url).pathname
  expect(await outcome(command, [noHarness])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no harness"),
  })
})

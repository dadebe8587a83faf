import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { expect, test } from "vitest"

// A process cannot load TypeScript, so it runs the build.
const module = new URL("../../dist/processes/tell.js", import.meta.url).href

test("whatever is told arrives, also where nobody has listened for a while", async () => {
  const count = 50_000
  // Once anything has looked at standard output, writing to it no longer waits.
  const program = `import { tell } from "${module}"; process.stdout; for (let step = 0; step < ${count}; step++) tell({ step })`
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const exit = once(child, "exit")
  await setTimeout(500)
  const told = await text(child.stdout)
  expect((await exit)[0]).toBe(0)
  expect(told.trim().split("\n").length).toBe(count)
  expect(told.endsWith(`{"step":${count - 1}}\n`)).toBe(true)
})

import type { TestContext } from "vitest"

/** Skips a test that this machine cannot run, and says why: the default reporter keeps reasons to itself. */
export function skip(context: TestContext, reason: string): never {
  process.stderr.write(`Skipped "${context.task.name}": ${reason}\n`)
  return context.skip(reason)
}

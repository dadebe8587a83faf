import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Harness } from "./harness.js"
import { type SuiteOptions, suiteOf } from "./suite.js"

/**
 * Declares every contract as a test of Node's own runner.
 *
 * @example
 * ```ts
 * import { conformanceTests } from "@sessile/conformance/node-test"
 * import { harness } from "./harness.js"
 *
 * await conformanceTests(harness)
 * ```
 */
export async function conformanceTests(harness: Harness, options: SuiteOptions = {}): Promise<void> {
  for (const { name, contracts } of await suiteOf(harness, options)) {
    describe(name, () => {
      for (const { title, run } of contracts) {
        test(title, async (context) => {
          const result = await run()
          if (result.status === "skipped") context.skip(result.reason)
          else assert.equal(result.status, "passed", "message" in result ? result.message : undefined)
        })
      }
    })
  }
}

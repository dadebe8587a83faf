import { describe, expect, test } from "vitest"
import type { Harness } from "./harness.js"
import { type SuiteOptions, suiteOf } from "./suite.js"

/**
 * Declares every contract as a vitest test. Call it at the top level of a test file.
 *
 * @example
 * ```ts
 * import { conformanceTests } from "@sessile/conformance/vitest"
 * import { harness } from "./harness.js"
 *
 * await conformanceTests(harness)
 * ```
 */
export async function conformanceTests(harness: Harness, options: SuiteOptions = {}): Promise<void> {
  for (const { name, contracts } of await suiteOf(harness, options)) {
    describe(name, () => {
      for (const { title, run } of contracts) {
        test(title, { timeout: 120_000 }, async (context) => {
          const result = await run()
          if (result.status === "skipped") context.skip(result.reason)
          expect(result.status, "message" in result ? result.message : undefined).toBe("passed")
        })
      }
    })
  }
}

import { describe } from "vitest"
import { unsupportedReason } from "./isolation.js"

/** A `describe` that is skipped, and says why, where opencode cannot be run. */
export function describeWithOpencode(title: string, body: () => void): void {
  const reason = unsupportedReason()
  if (reason !== undefined) process.stderr.write(`Skipped "${title}": ${reason}\n`)
  describe.skipIf(reason !== undefined)(title, body)
}

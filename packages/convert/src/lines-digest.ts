import { createHash } from "node:crypto"
import type { SessionLines } from "@sessile/core/storage"

/** The hash that a store's `digestLines` gives for some lines. */
export function digestLines(
  lines: SessionLines,
  isWanted: (position: number) => boolean = () => true,
): string {
  const hash = createHash("sha256")
  for (const stretch of lines.stretches(isWanted)) hash.update(stretch)
  return hash.digest("hex")
}

import { createHash } from "node:crypto"

/** The hash that a store's `digestLines` gives for records with these lines, each with the line end behind it. */
export function digestLines(lines: readonly Buffer[]): string {
  const hash = createHash("sha256")
  for (let first = 0; first < lines.length; ) {
    const { buffer, byteOffset } = lines[first] as Buffer
    let end = byteOffset
    // Lines mostly lie one behind the other, and hashing them one by one would take longer.
    for (; lines[first]?.buffer === buffer && lines[first]?.byteOffset === end; first++) {
      end += (lines[first] as Buffer).length + 1
    }
    hash.update(new Uint8Array(buffer, byteOffset, end - byteOffset))
  }
  return hash.digest("hex")
}

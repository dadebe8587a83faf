import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { formatReport, type Harness, runConformance } from "@sessile/conformance"
import { expect, test } from "vitest"
import { mediumObstacle } from "../src/processes/medium.js"
import { harness as json } from "./json.js"
import { harness as level } from "./level.js"
import { harness as memory } from "./memory.js"
import { withReport } from "./readme-report.js"
import { harness as sqlite } from "./sqlite.js"

const adapters: { readonly harness: Harness; readonly readme: string }[] = [
  { harness: memory, readme: "packages/core/README.md" },
  { harness: json, readme: "packages/storage-json/README.md" },
  { harness: sqlite, readme: "packages/storage-sqlite/README.md" },
  { harness: level, readme: "packages/storage-level/README.md" },
]

test.each(adapters)(
  "$harness.name conforms, and $readme says what it guarantees",
  async ({ harness, readme }) => {
    const report = await runConformance(harness)
    expect(report.conforms, formatReport(report)).toBe(true)
    // Where media cannot be mounted less is checked than the README says.
    if ((await mediumObstacle()) !== undefined) return
    const path = fileURLToPath(new URL(`../../../${readme}`, import.meta.url))
    // Written anew with `vitest --update`.
    await expect(withReport(await readFile(path, "utf8"), report)).toMatchFileSnapshot(path)
  },
)

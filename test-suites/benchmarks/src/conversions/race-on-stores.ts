import { spawnSync } from "node:child_process"
import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { unsupportedReason } from "@sessile/interop"
import { generateStore } from "../generated-store/index.js"
import type { ProcessFigures } from "../measure-process.js"
import type { Part } from "../selection.js"
import type { Conversion } from "./conversion.js"
import { opencode } from "./opencode.js"
import { readEveryFile } from "./read-every-file.js"
import { reading } from "./reading.js"
import { sessile, sessileIntoOpencode } from "./sessile.js"
import type { Side } from "./side.js"

/** About 20,000 and 180,000 files. */
const SESSIONS = [222, 2_000] as const
const ROUNDS = 3

/** Lets all sides convert a small store and then a large one, in turn. */
export async function raceOnStores(parts: ReadonlySet<Part>): Promise<Conversion[]> {
  if (!parts.has("convert")) return []
  const conversions: Conversion[] = []
  for (const sessions of SESSIONS) conversions.push(await raceOnStore(sessions, sidesAtHand()))
  return conversions
}

async function raceOnStore(sessions: number, sides: readonly Side[]): Promise<Conversion> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "storage")
  const store = { path, ...generateStore({ path, seed: 1, sessions }) }
  // Until it has written all of it out, the system works on the store at the expense of whoever comes first.
  spawnSync("sync")
  const runs: Record<string, ProcessFigures[]> = Object.fromEntries(sides.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of sides) {
      // It stays until the end: file systems make files more slowly for minutes after many have been deleted.
      const output = await mkdtemp(join(folder.path, "output-"))
      // So that no side finds less of the store in the system's memory than the others do.
      readEveryFile(path)
      runs[side.name]?.push(await side.run(store, output))
    }
  }
  return { files: store.files, bytes: store.bytes, runs }
}

function sidesAtHand(): Side[] {
  const reason = unsupportedReason()
  if (reason === undefined) return [reading, opencode, sessile, sessileIntoOpencode]
  process.stderr.write(`Skipped ${opencode.name}: ${reason}\n`)
  return [reading, sessile, sessileIntoOpencode]
}

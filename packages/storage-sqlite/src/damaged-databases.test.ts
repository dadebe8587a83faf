import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { copyDamaged, makeStore, type Outcome, randomFrom, readDamaged } from "./testing/mutations.js"

/** `MUTATIONS=5000` for a longer run by hand, `SEED` for another one. */
const MUTATIONS = Number(process.env.MUTATIONS ?? 150)
const SEED = Number(process.env.SEED ?? 18)

test.each([
  ["a plain file, read untouched", false, { untouched: true }],
  ["a file with a log, read untouched", true, { untouched: true }],
  ["a plain file, opened for writing", false, {}],
])(
  "damage to %s gives right data, a typed error or a named loss",
  async (_, hasLog, options) => {
    await using whole = await temporaryFolder()
    await using damaged = await temporaryFolder()
    const contents = await makeStore(whole.path, hasLog)
    const random = randomFrom(SEED)
    const outcomes: Record<Outcome, number> = { right: 0, typed: 0, named: 0, wrong: 0, silent: 0, raw: 0 }
    const failures: string[] = []
    for (let round = 0; round < MUTATIONS; round++) {
      const what = copyDamaged(whole.path, damaged.path, random)
      const outcome = await readDamaged(join(damaged.path, "store.db"), options, contents)
      outcomes[outcome]++
      if (outcome === "wrong" || outcome === "silent" || outcome === "raw")
        failures.push(`${outcome}: ${what}`)
    }
    if (process.env.MUTATIONS !== undefined) process.stdout.write(`${JSON.stringify(outcomes)}\n`)
    expect(failures).toEqual([])
    expect(outcomes.named).toBeGreaterThan(0)
  },
  60_000 + MUTATIONS * 400,
)

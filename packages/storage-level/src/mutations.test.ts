import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { CLOSING_NOTE } from "./files/closing-note.js"
import { LevelStorage } from "./level-storage.js"
import { type Mutation, mutationsOf } from "./testing/mutation.js"
import { type Reading, readMutants } from "./testing/mutation-run.js"
import { sessionKey, writeSessions } from "./testing/sessions.js"

/** More for a run by hand. */
const COUNT = Number(process.env.MUTATIONS ?? 60)
const SEED = Number(process.env.SEED ?? 1)

const SESSIONS = 60

const stores: readonly [string, (path: string) => Promise<void>][] = [
  [
    "records in the log",
    async (path) => {
      await using storage = await LevelStorage.open({ path })
      await fill(storage, "a")
    },
  ],
  [
    "one table",
    async (path) => {
      await using storage = await LevelStorage.open({ path })
      await fill(storage, "a")
      await storage.flush()
    },
  ],
  [
    "several tables, edits of the MANIFEST and a log",
    async (path) => {
      await using storage = await LevelStorage.open({ path })
      for (const part of ["a", "b", "c"]) {
        await fill(storage, part)
        await storage.flush()
      }
      await fill(storage, "d")
    },
  ],
  [
    "a table and a log that was not closed",
    async (path) => {
      await using storage = await LevelStorage.open({ path })
      await fill(storage, "a")
      await storage.flush()
      await fill(storage, "b")
      await storage.close()
      await rm(join(path, CLOSING_NOTE))
    },
  ],
]

test.each(stores)(
  "whatever is damaged in a store with %s, nothing is wrong or missing in silence",
  { timeout: 300_000 },
  async (_, prepare) => {
    await using folder = await temporaryFolder()
    const store = join(folder.path, "store")
    await prepare(store)
    const [intact] = await readMutants(store, [noMutation], join(folder.path, "intact"))
    expect(intact).toMatchObject({ invalid: [], findings: [] })
    const isClosed = (await readdir(store)).includes(CLOSING_NOTE)
    const mutations = (await mutationsOf(store, COUNT, SEED)).filter(
      (mutation) => isClosed || !isCutLog(mutation),
    )
    const readings = await readMutants(store, mutations, join(folder.path, "work"))
    const verdicts = readings.map((reading) => judge(intact as Reading, reading))
    report(verdicts)
    expect(mutations.filter((_, number) => !isFine(verdicts[number]))).toEqual([])
  },
)

/** A log that ends earlier is what a process leaves that was killed earlier: nothing can tell them apart. */
function isCutLog({ file, kind }: Mutation): boolean {
  return kind === "truncate" && file.endsWith(".log")
}

/** A byte that LevelDB does not read. */
const noMutation: Mutation = { file: "LOG", kind: "zero", offset: 0, length: 1 }

type Verdict = "right" | "typed" | "named" | "wrong" | "missing" | "raw" | "abort" | "touched" | "bad repair"

function judge(intact: Reading, reading: Reading | undefined): Verdict {
  if (reading === undefined) return "abort"
  if (reading.error === undefined) return judgeRecords(intact, reading)
  if (reading.error.code === undefined) return "raw"
  if (reading.isTouched) return "touched"
  const { repaired } = reading
  const isNamed = (repaired?.losses?.length ?? 0) > 0
  if (repaired?.error !== undefined || repaired?.findings?.length !== 0) return "bad repair"
  return isNamed || judgeRecords(intact, repaired) === "right" ? "typed" : "bad repair"
}

function judgeRecords(
  { records: before = {} }: Reading,
  { records = {}, findings = [], invalid = [] }: Reading,
): Verdict {
  // Where the last change is lost, the one before it is back.
  if (findings.length > 0) return "named"
  const isWrong = Object.entries(records).some(([key, value]) => !isDeepStrictEqual(value, before[key]))
  if (isWrong) return "wrong"
  if (invalid.length > 0) return "named"
  return Object.keys(records).length === Object.keys(before).length ? "right" : "missing"
}

function isFine(verdict: Verdict | undefined): boolean {
  return verdict === "right" || verdict === "typed" || verdict === "named"
}

function report(verdicts: readonly Verdict[]): void {
  if (process.env.MUTATIONS === undefined) return
  const countOf = (verdict: Verdict) => verdicts.filter((other) => other === verdict).length
  const figures = [...new Set(verdicts)].map((verdict) => `${verdict} ${countOf(verdict)}`)
  process.stderr.write(`${verdicts.length} mutations: ${figures.join(", ")}\n`)
}

async function fill(storage: LevelStorage, part: string): Promise<void> {
  await writeSessions(storage, SESSIONS)
  for (let number = 0; number < SESSIONS; number++) {
    await storage.write([part, String(number)], { text: `${part} ${number} `.repeat(1 + (number % 40)) })
  }
  await storage.remove(sessionKey(SESSIONS - 1))
  await storage.write([part, "0"], { text: "replaced" })
}

import { readdir } from "node:fs/promises"
import { temporaryFolder } from "@sessile/fixtures"
import fc from "fast-check"
import { expect, test, vi } from "vitest"
import { Ledger, type LedgerEntry } from "./ledger.js"
import { plainLine } from "./ledger-lines.js"

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc.record({
    key: fc.string({ minLength: 1, unit: "binary" }),
    outcome: fc.constantFrom("written", "present"),
    sha256: hash,
  }),
  fc.record({ key: fc.string({ minLength: 1 }), outcome: fc.constant("setAside"), reason: fc.string() }),
  fc.record({
    key: fc.string({ minLength: 1 }),
    outcome: fc.constant("written"),
    sha256: hash,
    remarks: fc.array(fc.string({ unit: "binary" }), { minLength: 1 }),
    lost: fc.array(fc.string(), { minLength: 1 }),
  }),
)

test("whatever was entered comes back, in order, as often as it is asked for", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry), async (entries) => {
      await using ledger = await Ledger.create()
      for (const each of entries) ledger.add(each)
      expect([...ledger.entries()].flat()).toEqual(entries)
      expect([...ledger.entries()].flat()).toEqual(entries)
      const told = entries.filter((each) => each.outcome === "setAside" || each.lost !== undefined)
      const remarkable = [...ledger.remarkable()].flat()
      expect(remarkable.filter(({ key }) => !key.includes("\n"))).toEqual(
        told.filter(({ key }) => !key.includes("\n")),
      )
    }),
    { numRuns: 50 },
  )
})

test("it leaves nothing behind, however it ends, but on Windows", async () => {
  await using folder = await temporaryFolder()
  vi.stubEnv("TMPDIR", folder.path)
  await using ledger = await Ledger.create()
  vi.unstubAllEnvs()
  expect(await readdir(folder.path)).toHaveLength(process.platform === "win32" ? 1 : 0)
  ledger.add({ key: "a", outcome: "written", sha256: "0".repeat(64) })
  expect([...ledger.entries()].flat()).toHaveLength(1)
})

test("more entries than fit into one page come back too", async () => {
  await using ledger = await Ledger.create()
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    key: `part\0msg_${index}\0prt_é${index}`,
    outcome: "written" as const,
    sha256: String(index).padStart(64, "0"),
  }))
  for (const each of entries) ledger.add(each)
  expect([...ledger.entries()].flat()).toEqual(entries)
  expect([...ledger.remarkable()]).toEqual([])
  expect(ledger.totals).toEqual({ found: 0, written: 10_000, present: 0, setAside: 0 })
})

test("records that were written as lines come back together, among all others", async () => {
  const alone = Array.from({ length: 3 }, (_, index) => accountOf(`session\0p\0ses_${index}`))
  // More than is read at once, and less.
  const groups = [900, 1, 300].map((count, group) => ({
    entries: Array.from({ length: count }, (_, index) => accountOf(`message\0ses_${group}\0msg_${index}`)),
    written: { count, sha256: String(group).repeat(64), receipt: `é ${group}` },
  }))
  await using ledger = await Ledger.create()
  for (const [index, { entries, written }] of groups.entries()) {
    ledger.add(alone[index] as LedgerEntry)
    const accounts = entries.map(({ key, sha256 }) => plainLine("written", key, sha256)).join("")
    ledger.addLines(accounts, written)
  }
  const found = [...ledger.groups()].map((group) => ({ entries: group.entries(), written: group.written }))
  expect(found).toEqual(
    groups.flatMap(({ entries, written }, index) => [
      { entries: [alone[index]], written: undefined },
      { entries, written: expect.objectContaining(written) },
    ]),
  )
  const all = groups.flatMap(({ entries }, index) => [alone[index], ...entries])
  expect([...ledger.entries()].flat()).toEqual(all)
  expect(ledger.totals.written).toBe(all.length)
  expect([...ledger.remarkable()]).toEqual([])
  const odd = { ...accountOf(`session\0p\0ses_${"x".repeat(100_000)}`), remarks: ["odd"] }
  ledger.add(odd)
  expect([...ledger.remarkable()].flat()).toEqual([odd])
})

function accountOf(key: string) {
  return { key, outcome: "written", sha256: "a".repeat(64) } as const
}

import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Message } from "../model/message.js"
import type { Session } from "../model/session.js"
import { assistant, model, noTokens, session, user } from "./testing/records.js"
import { readStore } from "./testing/store.js"
import { type UsageDimension, UsageTotals } from "./usage-totals.js"

const dimensions: UsageDimension[] = ["session", "project", "model", "day"]

describe("UsageTotals", () => {
  it("groups what answers used, and leaves users out", () => {
    const [first, second] = [session({ id: "ses_1" }), session({ id: "ses_2", projectID: "acme" })]
    const day = 24 * 60 * 60 * 1000
    const tokens = { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } }
    const totals = totalsOf([
      [first, user()],
      [first, assistant({ cost: 1, tokens })],
      [first, assistant({ cost: 2, tokens: noTokens, modelID: "small" })],
      [second, assistant({ cost: 4, tokens, time: { created: day } })],
    ])
    const twice = { input: 2, output: 4, reasoning: 6, cache: { read: 8, write: 10 } }
    expect(totals.total()).toEqual({ messages: 3, cost: 7, tokens: twice })
    expect(totals.by("session").get("ses_1")).toEqual({ messages: 2, cost: 3, tokens })
    expect(costs(totals, "session")).toEqual({ ses_1: 3, ses_2: 4 })
    expect(costs(totals, "project")).toEqual({ global: 3, acme: 4 })
    expect(costs(totals, "model")).toEqual({ "anthropic/large": 5, "anthropic/small": 2 })
    expect(costs(totals, "day")).toEqual({ "1970-01-01": 3, "1970-01-02": 4 })
  })

  it.each([
    [[0.1, 0.2, 0.3], 0.6],
    [[1e16, 1, 1], 10_000_000_000_000_002],
  ])("adds %j to exactly %d", (amounts, sum) => {
    expect(amounts.reduce((total, amount) => total + amount)).not.toBe(sum)
    const totals = totalsOf(amounts.map((cost) => [session({ id: "ses_1" }), assistant({ cost })]))
    expect(totals.total().cost).toBe(sum)
  })

  it("counts as 0 what no cost or count can be, and a time that is none as unknown", () => {
    const tokens = { input: -5, output: 1, reasoning: 0, cache: { read: Number.NaN, write: 0 } }
    const totals = totalsOf([
      [
        session({ id: "ses_1" }),
        assistant({ cost: Number.POSITIVE_INFINITY, tokens, time: { created: 1e20 } }),
      ],
    ])
    expect(totals.total()).toEqual({ messages: 1, cost: 0, tokens: { ...noTokens, output: 1 } })
    expect([...totals.by("day").keys()]).toEqual(["unknown"])
  })

  it("counts what a real fork copied only where it came from", () => {
    const stored = readStore("v1.1.65").filter(({ session }) => session.title.startsWith("Main line"))
    const totals = totalsOf(pairsOf(stored))
    const [main, continued, whole] = stored.map(({ session }) => session.id) as [string, string, string]
    expect(stored.map(({ session }) => session.title)).toEqual([
      "Main line",
      "Main line (fork #1)",
      "Main line (fork #1)",
    ])
    const alone = totalsOf(pairsOf(stored.slice(0, 1))).total()
    expect(totals.by("session").get(main)).toEqual(alone)
    expect(totals.by("session").get(continued)).toMatchObject({ messages: 1, cost: 0.003897 })
    expect(totals.by("session").has(whole)).toBe(false)
  })

  it("counts what real forks copied once, for the older fork, when the original is gone", () => {
    const stored = readStore("v1.1.65").filter(({ session }) => session.title.startsWith("Main line"))
    const [, continued, whole] = stored.map(({ session }) => session.id) as [string, string, string]
    const totals = totalsOf(pairsOf(stored.slice(1)))
    expect(totals.total()).toEqual(totalsOf(pairsOf(stored)).total())
    expect(totals.by("session").get(continued)?.messages).toBe(3)
    expect(totals.by("session").get(whole)?.messages).toBe(totals.total().messages - 3)
  })

  it("does not take answers that happen to be alike for copies", () => {
    const answer = assistant({ cost: 1, time: { created: 5, completed: 6 } })
    const totals = totalsOf([
      [session({ id: "ses_1" }), answer],
      [session({ id: "ses_2" }), answer],
    ])
    expect(costs(totals, "session")).toEqual({ ses_1: 1, ses_2: 1 })
  })

  it("counts answers that are older than their session for another reason than a fork", () => {
    const late = session({ id: "ses_1", time: { created: 100, updated: 100 } })
    const answers = [5, 6].map((created) => assistant({ cost: 1, time: { created } }))
    expect(totalsOf(answers.map((answer) => [late, answer])).total().cost).toBe(2)
  })

  it("refuses a session that is newer than one before it, since its copies might have been counted", () => {
    const [older, newer] = [
      session({ id: "ses_1" }),
      session({ id: "ses_2", time: { created: 2, updated: 2 } }),
    ]
    const totals = new UsageTotals()
    totals.add(newer, assistant())
    totals.add(older, assistant())
    expect(() => totals.add(newer, assistant())).toThrow(RangeError)
  })

  it("holds no more of many answers than of a few", () => {
    const totals = new UsageTotals()
    const owner = session({ id: "ses_1" })
    const add = (count: number) => {
      for (let index = 0; index < count; index++) {
        totals.add(owner, assistant({ cost: index / 1000, time: { created: 2 + index } }))
      }
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const few = add(1_000)
    expect(add(50_000) - few).toBeLessThan(50_000 * 100)
  })

  it("gives the same sums whatever the order of messages, exact, and the same in all dimensions", () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), ({ pairs, cents }, random) => {
        const totals = totalsOf(pairs)
        expect(totals.total().cost).toBe(Number(cents) / 100)
        const keyed = pairs.map((pair) => ({ pair, key: random.next().value as number }))
        const shuffled = totalsOf(keyed.sort((a, b) => a.key - b.key).map(({ pair }) => pair))
        for (const dimension of dimensions) {
          expect(new Map([...shuffled.by(dimension)].sort())).toEqual(
            new Map([...totals.by(dimension)].sort()),
          )
          const groups = [...totals.by(dimension).values()]
          expect(groups.reduce((sum, { messages }) => sum + messages, 0)).toBe(totals.total().messages)
          const inCents = groups.reduce((sum, { cost }) => sum + BigInt(Math.round(cost * 100)), 0n)
          expect(inCents).toBe(cents)
        }
      }),
      { numRuns: 50 },
    )
  })
})

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

type Pair = readonly [Session, Message]

/** Sessions with answers that cost whole cents, and forks of them; `cents` is what was paid. */
const history = fc
  .array(
    fc.record({
      answers: fc.array(fc.record({ cents: fc.nat(1_000_000), model: fc.constantFrom("a", "b") }), {
        maxLength: 5,
      }),
      forks: fc.array(fc.nat(5), { maxLength: 3 }),
      project: fc.constantFrom("p", "q"),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((plans) => {
    const pairs: Pair[] = []
    let now = 0
    let cents = 0n
    for (const [index, plan] of plans.entries()) {
      const projectID = plan.project
      const origin = session({ id: `ses_${index}`, projectID, time: { created: ++now, updated: now } })
      const answers = plan.answers.map(({ cents: paid, model: modelID }) => {
        cents += BigInt(paid)
        return assistant({ ...model, modelID, cost: paid / 100, time: { created: ++now, completed: ++now } })
      })
      pairs.push(...answers.map((answer): Pair => [origin, answer]))
      for (const [number, length] of plan.forks.entries()) {
        const id = `ses_${index}_${number}`
        const fork = session({ id, projectID, time: { created: ++now, updated: now } })
        pairs.push(...answers.slice(0, length).map((answer): Pair => [fork, answer]))
      }
    }
    return { pairs, cents }
  })

/** Adds sessions newest first, and of those made at the same time the messages in the order given. */
function totalsOf(pairs: readonly Pair[]): UsageTotals {
  const totals = new UsageTotals()
  const newestFirst = pairs.toSorted(([a], [b]) => b.time.created - a.time.created)
  for (const [owner, message] of newestFirst) totals.add(owner, message)
  return totals
}

function pairsOf(stored: ReturnType<typeof readStore>): Pair[] {
  return stored.flatMap(({ session, messages }) => messages.map(({ info }) => [session, info] as const))
}

function costs(totals: UsageTotals, dimension: UsageDimension): Record<string, number> {
  return Object.fromEntries([...totals.by(dimension)].map(([key, { cost }]) => [key, cost]))
}

import type { Progress } from "@sessile/convert"
import fc from "fast-check"
import { expect, test } from "vitest"
import { ProgressDisplay } from "./progress-display.js"
import { progressLine } from "./progress-line.js"

const progress = { phase: "converting", records: 50_000, bytes: 53_000_000, total: 200_000 } as const

test("a line tells share, records, bytes, rate and the time that remains", () => {
  expect(progressLine(progress, 2_000)).toBe(
    "Converting  █████░░░░░░░░░░░░░░░   25%  50,000 of 200,000  53.0 MB  25,000/s  6 s left",
  )
  expect(progressLine({ ...progress, total: undefined }, 2_000)).toBe(
    "Converting  50,000 records  53.0 MB  25,000/s",
  )
})

test("no line is wider than the terminal", () => {
  const any = fc.record({
    phase: fc.constantFrom<Progress["phase"]>("checking", "converting", "verifying", "reading"),
    records: fc.nat(),
    bytes: fc.nat(),
    total: fc.option(fc.nat(), { nil: undefined }),
  })
  fc.assert(
    fc.property(any, fc.nat(), fc.integer({ min: 1, max: 200 }), (state, elapsed, width) => {
      expect(progressLine(state, elapsed, width).length).toBeLessThanOrEqual(width)
    }),
  )
})

test("a terminal is drawn at most ten times a second, and left clean", () => {
  const { screen, written, display, clock } = shown({ isTTY: true, columns: 80 })
  for (clock.now = 0; clock.now < 1_000; clock.now++) display.show(progress)
  expect(written.length).toBe(9)
  display[Symbol.dispose]()
  expect(written.at(-1)).toBe("\r\u001b[K")
  expect(screen.columns).toBe(80)
})

test("elsewhere there is a line every few seconds, without control characters", () => {
  const { written, display, clock } = shown({})
  for (clock.now = 0; clock.now < 11_000; clock.now += 100) display.show(progress)
  display[Symbol.dispose]()
  expect(written).toHaveLength(2)
  for (const line of written) expect(line).toMatch(/^Converting [^\p{Cc}]*\n$/u)
})

function shown(terminal: { isTTY?: boolean; columns?: number }) {
  const written: string[] = []
  const clock = { now: 0 }
  const screen = { ...terminal, write: (text: string) => written.push(text) }
  return { screen, written, clock, display: new ProgressDisplay(screen, () => clock.now) }
}

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareIdentifiers, compareMessages, compareParts } from "./compare.js"

const before = "prt_ffffeb753001nT4Mp3AxXOnAA7"
const after = "prt_000008c17001Zhp5Lo28tPqKYu"

describe("compareIdentifiers", () => {
  it("an id made after the wrap follows one made before it", () => {
    expect(compareIdentifiers(before, after)).toBeLessThan(0)
    expect(compareIdentifiers(after, before)).toBeGreaterThan(0)
  })

  it("equal time parts are ordered by bytes", () => {
    const ids = [
      "prt_000008c17001Aaaaaaaaaaaaaa",
      "prt_000008c17001aaaaaaaaaaaaaa",
      "prt_000008c17001aaaaaaaaaaaaab",
    ]
    expect(ids.toReversed().sort(compareIdentifiers)).toEqual(ids)
  })

  it("ids of another form come last, by UTF-8 bytes", () => {
    const ids = [before, after, "prt_", "prt_a", "prt_é", "prt_\uffee", "prt_🐚"]
    expect(ids.toReversed().sort(compareIdentifiers)).toEqual(ids)
  })

  it("swapping two ids swaps the answer, and only an id itself is equal to it", () => {
    const hex = fc.oneof(
      fc.constantFrom("000000000000", "000000000001", "7fffffffffff", "800000000000", "ffffffffffff"),
      fc.stringMatching(/^[0-9a-f]{12}$/),
    )
    const generated = hex.map((digits) => `prt_${digits}AAAAAAAAAAAAAA`)
    const id = fc.oneof(generated, fc.string(), fc.constantFrom("prt_\uffee", "prt_🐚"))
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(Math.sign(compareIdentifiers(a, b))).toBe(0 - Math.sign(compareIdentifiers(b, a)))
        expect(compareIdentifiers(a, b) === 0).toBe(a === b)
      }),
    )
  })
})

describe("compareParts", () => {
  it("parts are ordered by id across the wrap", () => {
    expect([{ id: after }, { id: before }].sort(compareParts)).toEqual([{ id: before }, { id: after }])
  })
})

describe("compareMessages", () => {
  it("the time of creation decides, whatever the ids say", () => {
    const early = { id: after, time: { created: 1 } }
    const late = { id: before, time: { created: 2 } }
    expect([late, early].sort(compareMessages)).toEqual([early, late])
  })

  it("messages of one millisecond are ordered by id", () => {
    const first = { id: before, time: { created: 1 } }
    const second = { id: after, time: { created: 1 } }
    expect([second, first].sort(compareMessages)).toEqual([first, second])
  })
})

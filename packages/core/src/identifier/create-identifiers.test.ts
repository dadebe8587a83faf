import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareIdentifiers } from "./compare.js"
import { createIdentifiers, identifiers } from "./create-identifiers.js"
import { type Entity, identifierPrefixes } from "./entity.js"
import { isGeneratedIdentifier } from "./format.js"
import { IdentifierError } from "./identifier-error.js"

const wrap = Date.UTC(2026, 7, 14, 11, 19, 55, 136)
const entities = Object.keys(identifierPrefixes) as Entity[]

describe("format", () => {
  it.each(entities)("a %s id has its prefix, 12 hexadecimal digits and 14 base62 characters", (entity) => {
    const pattern = new RegExp(`^${identifierPrefixes[entity]}_[0-9a-f]{12}[0-9A-Za-z]{14}$`)
    expect(identifiers.ascending(entity)).toMatch(pattern)
    expect(identifiers.descending(entity)).toMatch(pattern)
    expect(isGeneratedIdentifier(entity, identifiers.ascending(entity))).toBe(true)
  })

  it("the time part is the one that opencode wrote at the same millisecond", () => {
    expect(hexOf(at(1_786_706_310_995).ascending("message"))).toBe("ffffeb753001")
    expect(hexOf(at(1_786_706_430_999).ascending("message"))).toBe("000008c17001")
    expect(hexOf(at(1_786_706_220_937).descending("session"))).toBe("00002a876ffe")
  })

  it("the time part holds the low 48 bits of ms * 4096 + counter at any time that a Date can hold", () => {
    const times = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 })
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 20 }), (time, count) => {
        const { ascending, descending } = at(time)
        for (let counter = 1; counter < count; counter++) ascending("part")
        const bits = BigInt(time) * 4096n + BigInt(count)
        expect(hexOf(ascending("part"))).toBe(hex48(bits))
        expect(hexOf(descending("part"))).toBe(hex48(~(bits + 1n)))
      }),
    )
  })

  it("a fraction of a millisecond is cut off", () => {
    expect(hexOf(at(1_786_706_310_995.9).ascending("message"))).toBe("ffffeb753001")
  })

  it("the random characters come from the given bytes", () => {
    const random = (size: number) => Uint8Array.from({ length: size }, (_, index) => index % 62)
    const { ascending } = createIdentifiers({ clock: () => wrap, random })
    expect(ascending("message")).toBe("msg_0000000000010123456789ABCD")
    expect(ascending("message")).toBe("msg_000000000002EFGHIJKLMNOPQR")
  })

  it("ids made in the same millisecond by different generators differ", () => {
    const made = Array.from({ length: 1000 }, () => at(wrap).ascending("part"))
    expect(new Set(made).size).toBe(1000)
  })
})

describe("monotonicity", () => {
  it("a million ids of a still clock increase, far beyond 4095 per millisecond", () => {
    const { ascending } = at(wrap - 100)
    let previous = ascending("part")
    let disorder = 0
    for (let count = 1; count < 1_000_000; count++) {
      const id = ascending("part")
      if (compareIdentifiers(previous, id) >= 0) disorder++
      previous = id
    }
    expect(disorder).toBe(0)
  })

  it("ascending and descending ids count on from each other", () => {
    const { ascending, descending } = at(wrap)
    expect(hexOf(ascending("message"))).toBe("000000000001")
    expect(hexOf(descending("session"))).toBe("fffffffffffd")
    expect(hexOf(ascending("part"))).toBe("000000000003")
  })

  it("the id after the 4095th of a millisecond is the first of the next", () => {
    const { ascending } = at(wrap + 7)
    const made = Array.from({ length: 4096 }, () => hexOf(ascending("part")))
    expect(made[4094]).toBe("000000007fff")
    expect(made[4095]).toBe("000000008001")
  })

  it("a clock that steps back does not take the ids back", () => {
    let now = wrap + 10
    const { ascending } = createIdentifiers({ clock: () => now })
    ascending("part")
    now = wrap + 2
    expect(hexOf(ascending("part"))).toBe("00000000a002")
    now = wrap + 11
    expect(hexOf(ascending("part"))).toBe("00000000b001")
  })

  it("a millisecond that was borrowed is not used twice when the clock reaches it", () => {
    let now = wrap
    const { ascending } = createIdentifiers({ clock: () => now })
    for (let count = 0; count < 4096; count++) ascending("part")
    now = wrap + 1
    expect(hexOf(ascending("part"))).toBe("000000001002")
  })

  it("ids come in the order of their making under any clock, also around the wrap", () => {
    const start = fc.oneof(
      fc.integer({ min: wrap - 5000, max: wrap + 5000 }),
      fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
    )
    const step = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -(2 ** 28), max: 2 ** 28 }))
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 100 }), (first, steps) => {
        let now = first
        const { ascending } = createIdentifiers({ clock: () => now })
        const made = steps.map((by) => {
          now += by
          return ascending("part")
        })
        expect(made.toReversed().sort(compareIdentifiers)).toEqual(made)
      }),
    )
  })

  it("descending ids come newest first", () => {
    let now = wrap - 3
    const { descending } = createIdentifiers({ clock: () => now++ })
    const made = Array.from({ length: 6 }, () => descending("session"))
    expect([...made].sort(compareIdentifiers)).toEqual(made.toReversed())
  })
})

describe("a given id", () => {
  it.each(["ses_x", "ses_000008c17001Zhp5Lo28tPqKYu", "ses_imported/from elsewhere 🐚"])(
    "%s is returned as it is",
    (given) => {
      expect(identifiers.ascending("session", given)).toBe(given)
      expect(identifiers.descending("session", given)).toBe(given)
    },
  )

  it.each(["", "ses", "ses_", "msg_x", "SES_x", "sess_x", "ses_a\0b", "ses_\ud83d"])(
    "%j is refused with the form that was expected",
    (given) => {
      expect(() => identifiers.descending("session", given)).toThrow(IdentifierError)
      expect(() => identifiers.ascending("session", given)).toThrow(
        `Expected a session id ("ses_" and at least one character, without NUL or lone surrogates), got ${JSON.stringify(given)}`,
      )
    },
  )
})

describe("what a generator cannot use", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])("a clock that gives %d is refused", (time) => {
    expect(() => at(time).ascending("part")).toThrow(IdentifierError)
  })

  it("randomness that gives too few bytes is refused", () => {
    const { ascending } = createIdentifiers({ random: () => new Uint8Array(3) })
    expect(() => ascending("part")).toThrow(IdentifierError)
  })
})

function at(time: number) {
  return createIdentifiers({ clock: () => time })
}

function hexOf(id: string): string {
  return id.slice(-26, -14)
}

function hex48(bits: bigint): string {
  return BigInt.asUintN(48, bits).toString(16).padStart(12, "0")
}

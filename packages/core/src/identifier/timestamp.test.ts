import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createIdentifiers } from "./create-identifiers.js"
import { IdentifierError } from "./identifier-error.js"
import { timestamp } from "./timestamp.js"

const window = 2 ** 36

describe("timestamp", () => {
  it("ids on both sides of the wrap give their own times", () => {
    const near = Date.UTC(2026, 7, 14)
    expect(timestamp("msg_ffffeb753001nT4Mp3AxXOnAA7", near)).toBe(1_786_706_310_995)
    expect(timestamp("msg_000008c17001Zhp5Lo28tPqKYu", near)).toBe(1_786_706_430_999)
  })

  it("the candidate nearest the reference is taken", () => {
    const id = "msg_000008c17001Zhp5Lo28tPqKYu"
    expect(timestamp(id, 1_786_706_430_999 - window)).toBe(1_786_706_430_999 - window)
    expect(timestamp(id, 1_786_706_430_999 + 2 * window)).toBe(1_786_706_430_999 + 2 * window)
  })

  it("every id gives back its time for any reference less than half a window away", () => {
    const time = fc.integer({ min: 0, max: 8_640_000_000_000_000 })
    const offset = fc.integer({ min: 1 - window / 2, max: window / 2 - 1 })
    fc.assert(
      fc.property(time, offset, (now, away) => {
        const { ascending, descending } = createIdentifiers({ clock: () => now })
        expect(timestamp(ascending("part"), now + away)).toBe(now)
        expect(timestamp(descending("session"), now + away)).toBe(now)
        expect(timestamp(descending("part"), now + away, "descending")).toBe(now)
        expect(timestamp(ascending("session"), now + away, "ascending")).toBe(now)
      }),
    )
  })

  it.each(["", "msg_", "msg_imported", "foo_000008c17001Zhp5Lo28tPqKYu", "msg_000008c1700gZhp5Lo28tPqKYu"])(
    "%j is refused",
    (id) => {
      expect(() => timestamp(id, 0)).toThrow(IdentifierError)
      expect(() => timestamp(id, 0)).toThrow(JSON.stringify(id))
    },
  )
})

import { describe, expect, it } from "vitest"
import { retryDelay } from "./retry-delay.js"

const now = Date.UTC(2026, 10, 15)

describe("retryDelay", () => {
  it("doubles from two seconds to thirty where there was no answer", () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(attempt, undefined, now))
    expect(delays).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  it("doubles on where a server answered without a hint", () => {
    expect(retryDelay(6, {}, now)).toBe(64_000)
  })

  it.each([
    ["milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    ["seconds", { "Retry-After": "1.5" }, 1500],
    ["no time at all", { "retry-after": "0" }, 0],
    ["a date", { "retry-after": new Date(now + 7000).toUTCString() }, 7000],
    ["a date that is over", { "retry-after": new Date(now - 7000).toUTCString() }, 2000],
    ["nonsense", { "retry-after": "soon", "retry-after-ms": "later" }, 2000],
    ["more than a timer takes", { "retry-after": "99999999" }, 2 ** 31 - 1],
  ])("a server may ask for %s", (_, headers, delay) => {
    expect(retryDelay(1, headers, now)).toBe(delay)
  })
})

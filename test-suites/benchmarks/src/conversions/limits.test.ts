import { describe, expect, test } from "vitest"
import { holds } from "../limits.js"
import type { Conversion } from "./conversion.js"
import { conversionLimits } from "./limits.js"

describe("conversionLimits", () => {
  const small = conversion(
    20_000,
    { reading: 250, "opencode 1.15.13": 2_000, "sessile convert": 500, "sessile into opencode.db": 700 },
    200,
  )

  test("a conversion that is fast, small and grows evenly holds them all", () => {
    const large = conversion(
      180_000,
      {
        reading: 2_250,
        "opencode 1.15.13": 14_000,
        "sessile convert": 4_500,
        "sessile into opencode.db": 6_300,
      },
      210,
    )
    const limits = conversionLimits([small, large])
    expect(limits.map(({ figure }) => figure)).toEqual([
      4_500 / 14_000,
      6_300 / 14_000,
      ...[1, 210, 210],
      ...[1, 210, 210],
    ])
    expect(limits.map(({ most }) => most)).toEqual([1 / 3, 1 / 2, 1.3, 300, 270, 1.3, 300, 270])
    expect(limits.every(holds)).toBe(true)
  })

  test("more than a third of opencode's time, or half of it into its own database, growing time and growing memory each break one", () => {
    const large = conversion(
      180_000,
      {
        reading: 2_250,
        "opencode 1.15.13": 14_000,
        "sessile convert": 6_000,
        "sessile into opencode.db": 8_500,
      },
      301,
    )
    expect(conversionLimits([small, large]).map(holds)).toEqual(Array(8).fill(false))
  })

  test("nothing is said of opencode where it did not run, nor of memory where it is unknown", () => {
    const times = { reading: 250, "sessile convert": 500 }
    const limits = conversionLimits([conversion(20_000, times), conversion(20_000, times)])
    expect(limits.map(({ what }) => what)).toEqual(["20,000 files over 20,000, for each: sessile convert"])
  })

  test("without conversions there is nothing to hold", () => {
    expect(conversionLimits([])).toEqual([])
  })
})

function conversion(files: number, times: Record<string, number>, megabytes?: number): Conversion {
  const peakBytes = megabytes === undefined ? undefined : megabytes * 1e6
  const runs = Object.entries(times).map(([side, milliseconds]) => [
    side,
    [0.9, 1, 1.1].map((factor) => ({ milliseconds: milliseconds * factor, peakBytes, stdout: "" })),
  ])
  return { files, bytes: files * 1_000, runs: Object.fromEntries(runs) }
}

import { duration, megabytes, multiple, table } from "../format.js"
import { type Conversion, figuresOf, type SideFigures } from "./conversion.js"
import { opencode } from "./opencode.js"
import { reading } from "./reading.js"
import { sessile, sessileIntoOpencode } from "./sessile.js"

const sides = [reading, opencode, sessile, sessileIntoOpencode].map(({ name }) => name)

/** The conversions as a table for a terminal. */
export function conversionTable(conversions: readonly Conversion[]): string[] {
  return table(
    ["", ...sides],
    conversions.flatMap((conversion) => {
      const size = `${conversion.files.toLocaleString("en")} files of ${megabytes(conversion.bytes / 1e6)}`
      return [
        line(size, ({ milliseconds }) => duration(milliseconds)),
        line("  over reading", ({ overReading }) => multiple(overReading)),
        line("  peak memory", ({ peakMegabytes }) =>
          peakMegabytes === undefined ? "–" : megabytes(peakMegabytes),
        ),
      ]

      function line(name: string, show: (figures: SideFigures) => string): string[] {
        return [
          name,
          ...sides
            .map((side) => figuresOf(conversion, side))
            .map((figures) => (figures ? show(figures) : "–")),
        ]
      }
    }),
  )
}

/** The conversions as data. */
export function conversionData(conversions: readonly Conversion[]): unknown {
  return conversions.map((conversion) => ({
    files: conversion.files,
    bytes: conversion.bytes,
    sides: Object.fromEntries(sides.map((side) => [side, figuresOf(conversion, side)])),
  }))
}

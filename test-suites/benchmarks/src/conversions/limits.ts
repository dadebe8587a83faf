import type { Limit } from "../limits.js"
import { type Conversion, figuresOf, timesOver } from "./conversion.js"
import { opencode } from "./opencode.js"
import { sessile, sessileIntoOpencode } from "./sessile.js"
import type { Side } from "./side.js"

const MOST_TIMES_OPENCODE = 1 / 3
const MOST_TIMES_OPENCODE_INTO_ITS_DATABASE = 1 / 2
const MOST_TIMES_PER_FILE = 1.3
const MOST_MEGABYTES = 300
const MOST_TIMES_MEMORY = 1.25

/** What a larger store may take on top, such as a fuller cache of the database. */
const SPARE_MEGABYTES = 20

/** The limits that the conversions of a small and of a large store speak of. */
export function conversionLimits([small, large]: readonly Conversion[]): Limit[] {
  if (small === undefined || large === undefined) return []
  return [
    ...againstOpencode(large, sessile, MOST_TIMES_OPENCODE),
    ...againstOpencode(large, sessileIntoOpencode, MOST_TIMES_OPENCODE_INTO_ITS_DATABASE),
    ...againstSize(small, large, sessile),
    ...againstSize(small, large, sessileIntoOpencode),
  ]
}

function againstOpencode(conversion: Conversion, { name }: Side, most: number): Limit[] {
  const figure = timesOver(conversion, name, opencode.name)
  if (figure === undefined) return []
  const what = `${count(conversion)} files: ${name} over ${opencode.name}`
  return [{ what, figure, unit: "×", most }]
}

function againstSize(small: Conversion, large: Conversion, { name }: Side): Limit[] {
  const few = figuresOf(small, name)
  const many = figuresOf(large, name)
  if (few === undefined || many === undefined) return []
  const what = `${count(large)} files over ${count(small)}, for each: ${name}`
  const figure = many.milliseconds / large.files / (few.milliseconds / small.files)
  const limits: Limit[] = [{ what, figure, unit: "×", most: MOST_TIMES_PER_FILE }]
  if (few.peakMegabytes === undefined || many.peakMegabytes === undefined) return limits
  const byGrowth = few.peakMegabytes * MOST_TIMES_MEMORY + SPARE_MEGABYTES
  const memory = { figure: many.peakMegabytes, unit: "MB" } as const
  return [
    ...limits,
    { what: `${count(large)} files: memory of ${name}`, ...memory, most: MOST_MEGABYTES },
    { what: `the same, after that for ${count(small)} files`, ...memory, most: byGrowth },
  ]
}

function count({ files }: Conversion): string {
  return files.toLocaleString("en")
}

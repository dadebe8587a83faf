import type { Progress } from "@sessile/convert"
import { formatBytes, formatCount, formatDuration } from "./figures.js"

const LONGEST_BAR = 20
const SHORTEST_BAR = 6

/** The phases of a command, all of the same length. */
const NAMES: Readonly<Record<Progress["phase"], string>> = {
  checking: "Checking  ",
  converting: "Converting",
  verifying: "Verifying ",
  reading: "Reading   ",
}

/** How far something has come, in one line that fits between `width` columns; `elapsed` is in milliseconds. */
export function progressLine(progress: Progress, elapsed: number, width = Number.POSITIVE_INFINITY): string {
  const { phase, records, bytes, total } = progress
  const rate = elapsed > 0 ? (records / elapsed) * 1000 : 0
  const share = total ? Math.min(records / total, 1) : undefined
  const figures = [
    ...(share === undefined ? [] : [`${String(Math.floor(share * 100)).padStart(3)}%`]),
    total === undefined
      ? `${formatCount(records)} records`
      : `${formatCount(records)} of ${formatCount(total)}`,
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(rate > 0 ? [`${formatCount(rate)}/s`] : []),
    ...(total && rate > 0 && records < total ? [`${formatDuration((total - records) / rate)} left`] : []),
  ]
  const line = `${NAMES[phase]}  ${figures.join("  ")}`
  const bar = Math.min(width - line.length - 2, LONGEST_BAR)
  if (share === undefined || bar < SHORTEST_BAR) return line.slice(0, width)
  const filled = Math.round(share * bar)
  return `${NAMES[phase]}  ${"█".repeat(filled)}${"░".repeat(bar - filled)}  ${figures.join("  ")}`
}

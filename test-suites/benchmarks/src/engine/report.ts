import { duration, multiple, table } from "../format.js"
import { typical } from "../measure.js"
import { type EngineRun, overheadOf, timesBare } from "./engine-run.js"
import { STEPS } from "./streaming-model.js"

/** What to call a run. */
export function runName({ words }: EngineRun): string {
  return `${STEPS} steps of ${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`
}

/** The runs as a table for a terminal. */
export function engineTable(runs: readonly EngineRun[]): string[] {
  const lines = runs.map((run) => [runName(run), duration(typical(run.bare)), multiple(timesBare(run))])
  const [few, many] = runs
  if (few === undefined || many === undefined) return table(HEAD, lines)
  const { perStep, perEvent } = overheadOf(few, many)
  return table(HEAD, [
    ...lines,
    ["  beyond the AI SDK, per step", "", duration(perStep)],
    ["  beyond the AI SDK, per word", "", `${(perEvent * 1_000).toFixed(0)} µs`],
  ])
}

const HEAD = ["", "AI SDK bare", "engine on SqliteStorage"]

/** The runs as data. */
export function engineData(runs: readonly EngineRun[]): unknown {
  const [few, many] = runs
  return {
    runs: runs.map((run) => ({
      name: runName(run),
      bareMilliseconds: typical(run.bare),
      engineMilliseconds: typical(run.engine),
      rounds: run.engine.length,
      overBare: timesBare(run),
    })),
    overheadMilliseconds: few && many && overheadOf(few, many),
  }
}

import type { Limit } from "../limits.js"
import { type EngineRun, timesBare } from "./engine-run.js"
import { runName } from "./report.js"

/** The limits that a run of few words and one of many speak of. */
export function engineLimits([, many]: readonly EngineRun[]): Limit[] {
  if (many === undefined) return []
  const what = `${runName(many)}: the engine over the AI SDK bare`
  return [{ what, figure: timesBare(many), unit: "×", most: 2 }]
}

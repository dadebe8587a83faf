import { ratio, typical } from "../measure.js"
import { STEPS } from "./streaming-model.js"

/** The same run by the AI SDK alone and by the engine over it, in milliseconds, round by round. */
export interface EngineRun {
  /** How many words the model says in each step. */
  readonly words: number
  readonly bare: readonly number[]
  readonly engine: readonly number[]
}

/** How many times as long the engine took. */
export function timesBare({ engine, bare }: EngineRun): number {
  return ratio(engine, bare)
}

/** What the engine takes beyond the AI SDK, in milliseconds. */
export interface Overhead {
  readonly perStep: number
  readonly perEvent: number
}

/** Tells what steps cost from what their words cost. */
export function overheadOf(few: EngineRun, many: EngineRun): Overhead {
  const ofSteps = beyondBare(few)
  const events = STEPS * (many.words - few.words)
  return { perStep: ofSteps / STEPS, perEvent: (beyondBare(many) - ofSteps) / events }
}

function beyondBare({ engine, bare }: EngineRun): number {
  return typical(engine) - typical(bare)
}

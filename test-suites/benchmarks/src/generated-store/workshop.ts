import { createIdentifiers, type Identifiers } from "@sessile/core/identifier"
import { Random } from "./random.js"
import { RecordFiles } from "./record-files.js"
import { Texts } from "./texts.js"

const START = Date.UTC(2025, 5, 1)

/** A clock that goes on only when something takes time. */
export interface Clock {
  now(): number
  pass(milliseconds: number): void
}

/** What everything in a store is made with. */
export interface Workshop {
  readonly random: Random
  readonly texts: Texts
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly files: RecordFiles
}

export function createWorkshop(path: string, seed: number): Workshop {
  const random = new Random(seed)
  let time = START
  const clock = {
    now: () => time,
    pass: (milliseconds: number) => {
      time += Math.round(milliseconds)
    },
  }
  return {
    random,
    texts: new Texts(random),
    clock,
    identifiers: createIdentifiers({ clock: clock.now, random: (size) => random.bytes(size) }),
    files: new RecordFiles(path),
  }
}

import { decodeKey, type Key, type TextEntry } from "@sessile/core/storage"
import { examine } from "./examine.js"
import type { SoundRecord } from "./read-record.js"

/**
 * What to do about a key under which the target holds other content: refuse (`fail`), keep the target's (`skip`), take the
 * source's (`replace`), or take the source's unless the target's has a later time (`newer`).
 */
export type ConflictPolicy = "fail" | "skip" | "newer" | "replace"

/** Whether the target's version is to give way to the source's. */
export function shouldReplace(policy: ConflictPolicy, record: SoundRecord, present: TextEntry): boolean {
  if (policy === "replace") return true
  if (policy !== "newer") return false
  if ("error" in present) return false
  const ours = timeOf(record.key, record.text)
  const theirs = timeOf(present.key, present.text)
  // To-do lists and diffs have no times: the source is what people continue to work with.
  return ours === undefined || theirs === undefined || ours >= theirs
}

/** Which of a conversion's records stand in each other's way, when that was not to happen. */
export class ConflictError extends Error {
  override readonly name = "ConflictError"
  /** The first of them. */
  readonly keys: readonly Key[]
  /** How many there are. */
  readonly count: number

  constructor(keys: readonly Key[], count: number) {
    const records = count === 1 ? "one record" : `${count} records`
    super(`The target holds ${records} of the source with other content; set onConflict`)
    this.keys = keys
    this.count = count
  }
}

function timeOf(key: string, text: string): number | undefined {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""))
  const facts = examine(decodeKey(key), value)
  return facts?.updated ?? completedOf(value) ?? facts?.created
}

// Messages have no time.updated; parts have the end of what they tell of.
function completedOf(value: unknown): number | undefined {
  const { time, state } = value as {
    time?: { completed?: unknown; end?: unknown }
    state?: { time?: { end?: unknown } }
  }
  return [time?.completed, time?.end, state?.time?.end].find((found) => typeof found === "number")
}

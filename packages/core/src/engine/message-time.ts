import type { MessageWithParts } from "../session/message-with-parts.js"

/** When the newest message of a history was made. */
export function newestTime(history: readonly MessageWithParts[]): number {
  return history.at(-1)?.info.time.created ?? 0
}

/** The time for a message that comes after another: now, unless the clock stood still or was set back since. */
export function timeAfter(previous: number, now: number): number {
  return Math.max(previous + 1, now)
}

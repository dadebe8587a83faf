import { compareUtf8 } from "../storage/key.js"
import { readTimePart, TIME_PART_SIZE } from "./format.js"

/**
 * Orders ids by their time parts modulo 2^48, as serial numbers: what lies less than half a turn ahead is
 * later. Ascending ids thus come in the order in which they were made, also across the wrap of the 48 bits (the
 * last was on 2026-08-14T11:19:55.136Z); descending ids come newest first. Equal time parts are ordered by
 * bytes. Ids of another form follow those of the generated form, by UTF-8 bytes.
 *
 * The order means something only among ids made within 2^35 ms (about 397 days) of each other, as the parts of
 * one message are. Whatever may lie further apart has a time of its own to compare first, as
 * {@link compareMessages} does.
 *
 * @example
 * ```ts
 * ["msg_000008c17001Zhp5Lo28tPqKYu", "msg_ffffeb753001nT4Mp3AxXOnAA7"].sort(compareIdentifiers)
 * // the one that starts with msg_ffff is older, and comes first
 * ```
 */
export function compareIdentifiers(a: string, b: string): number {
  const left = readTimePart(a)
  const right = readTimePart(b)
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1
    if (right !== undefined) return 1
    return compareUtf8(a, b)
  }
  return compareSerial(left, right) || compareUtf8(a, b)
}

/** Orders the parts of a message as they were made. */
export function compareParts(a: { readonly id: string }, b: { readonly id: string }): number {
  return compareIdentifiers(a.id, b.id)
}

/** Orders the messages of a session by the time at which they were made; those of one millisecond by id. */
export function compareMessages(a: TimedRecord, b: TimedRecord): number {
  return a.time.created - b.time.created || compareIdentifiers(a.id, b.id)
}

/** What {@link compareMessages} looks at. */
export interface TimedRecord {
  readonly id: string
  readonly time: { readonly created: number }
}

function compareSerial(left: number, right: number): number {
  const ahead = left - right
  // Exactly half a turn apart, each is as much ahead as behind: the plain order keeps the answers consistent.
  if (Math.abs(ahead) <= TIME_PART_SIZE / 2) return ahead
  return ahead > 0 ? -1 : 1
}

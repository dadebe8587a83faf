import { type Mutation, reachesEnd } from "./mutation.js"
import type { Reading } from "./reading.js"
import type { Subject } from "./subject.js"

/**
 * What a mutation led to.
 *
 * | outcome | meaning |
 * |---|---|
 * | `right` | all records came back as they were |
 * | `typed` | a `StorageError` said that the store cannot be read |
 * | `named` | the damage was reported, and nothing is lost that the report does not cover |
 * | `torn` | the end of a log is gone, as after a crash, and with it the last commit |
 * | `undetectable` | bytes inside a record were altered, in a format without checksums |
 * | `wrong` | a record came back with another value, or one that never was |
 * | `missing` | records are gone, and nothing says so |
 * | `raw` | an error that is no `StorageError` |
 * | `crash` | the process died |
 * | `hang` | no result within the time limit |
 * | `touched` | reading changed the store |
 * | `litter` | files were left behind in the folder for temporary files |
 */
export const outcomes = [
  "right",
  "typed",
  "named",
  "torn",
  "undetectable",
  "wrong",
  "missing",
  "raw",
  "crash",
  "hang",
  "touched",
  "litter",
] as const
export type Outcome = (typeof outcomes)[number]

const acceptable: readonly Outcome[] = ["right", "typed", "named", "torn", "undetectable"]

/** Whether a store that is trusted with a history may behave so. */
export function isAcceptable(outcome: Outcome): boolean {
  return acceptable.includes(outcome)
}

/** An outcome, with what led to it in words. */
export interface Verdict {
  readonly outcome: Outcome
  readonly detail: string
}

/** Compares what was read from a damaged store with what was read from it before. */
export function judge(subject: Subject, mutation: Mutation, before: Reading, after: Reading): Verdict {
  if (after.error !== undefined) {
    const { code, message } = after.error
    return { outcome: code === undefined ? "raw" : "typed", detail: message }
  }
  const gone = Object.keys(before.records).filter((key) => !(key in after.records))
  const added = Object.keys(after.records).filter((key) => !(key in before.records))
  const altered = Object.keys(before.records).filter((key) => {
    const record = after.records[key]
    return record !== undefined && record.sha256 !== before.records[key]?.sha256
  })
  const detail = `${gone.length} gone, ${added.length} added, ${altered.length} altered, ${after.invalid.length} invalid, ${after.findings.length} findings`
  const isReported = after.findings.length > 0 || after.invalid.length >= gone.length + added.length
  if (subject.undetectable === undefined) {
    if (altered.length + added.length > 0) return { outcome: "wrong", detail }
  } else if (altered.length > 0 && gone.length + added.length === 0 && !isNamed(after)) {
    return { outcome: "undetectable", detail }
  }
  if (gone.length + added.length === 0) return { outcome: isNamed(after) ? "named" : "right", detail }
  if (isReported) return { outcome: "named", detail }
  if (added.length > 0) return { outcome: "wrong", detail }
  const isTorn = subject.isLog?.(mutation.file) && (reachesEnd(mutation) || isLastCommit(gone, before))
  return { outcome: isTorn ? "torn" : "missing", detail }
}

function isNamed({ findings, invalid }: Reading): boolean {
  return findings.length + invalid.length > 0
}

function isLastCommit(gone: readonly string[], { records }: Reading): boolean {
  const last = Math.max(...Object.values(records).map(({ commit = -1 }) => commit))
  return gone.every((key) => records[key]?.commit === last)
}

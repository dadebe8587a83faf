import { StorageError, type StorageErrorCode } from "@sessile/core/storage"

/** What the program tells the shell. */
export const ExitCode = {
  fine: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  corrupt: 5,
  locked: 7,
  /** Done, but some records were set aside, or changed in the source meanwhile. */
  setAside: 8,
  /** What shells give for a program that ended by Ctrl-C. */
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

const storageCodes: Partial<Record<StorageErrorCode, ExitCode>> = {
  NOT_FOUND: ExitCode.notFound,
  CORRUPT: ExitCode.corrupt,
  LOCKED: ExitCode.locked,
}

/** The exit code for an error that ended a command. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return ExitCode.usage
  return (StorageError.is(error) ? storageCodes[error.code] : undefined) ?? ExitCode.failed
}

/** A command line that makes no sense; nothing was opened. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

import { ConflictError, fileError, SelectionError, SetAsideError } from "@sessile/convert"
import { DataFolderError } from "@sessile/core/paths"
import { type Key, StorageError, type StorageErrorCode } from "@sessile/core/storage"
import { ExitCode, exitCodeOf, UsageError } from "../exit-code.js"
import { formatKey } from "./layout.js"
import { quoteArgument } from "./quote-argument.js"
import { OutputError } from "./stdout.js"

/** Why a command did not do what it was told, in words and for machines. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly code: string
  readonly message: string
  /** The records that stood in the way, the first ones at least. */
  readonly records?: readonly { readonly key: Key; readonly reason?: string }[] | undefined
  /** What to do. */
  readonly advice?: string | undefined
}

const advice: Partial<Record<StorageErrorCode, string>> = {
  LOCKED: "Close the program that uses it, then run the same command again",
  FULL: "Free some space, then run the same command again to continue: what was written stays",
  READONLY: "Choose a path that can be written to",
  DENIED: "Check the permissions, or choose another path",
}

/** What to tell about an error that ended a command. */
export function failureOf(error: unknown): Failure {
  const { message } = error instanceof Error ? error : { message: String(error) }
  const exitCode = exitCodeOf(error)
  if (error instanceof ConflictError) {
    return {
      exitCode,
      code: "CONFLICT",
      message: `The target holds ${records(error.count)} of the source with other content`,
      records: error.keys.map((key) => ({ key })),
      advice:
        "Choose with --on-conflict: newer keeps the later version, skip the target's, replace the source's",
    }
  }
  if (error instanceof SetAsideError) {
    return {
      exitCode,
      code: "SET_ASIDE",
      message,
      records: error.records,
      advice: "Without --strict they are set aside with their bytes, and all others are converted",
    }
  }
  if (error instanceof SelectionError) {
    return {
      exitCode: ExitCode.notFound,
      code: "NOT_FOUND",
      message,
      advice:
        "Nothing was written. Check --session, --project and --since: sessile inspect lists the projects",
    }
  }
  if (StorageError.is(error)) {
    return { exitCode, code: error.code, message: forUsers(error), advice: advice[error.code] }
  }
  if (error instanceof UsageError) return { exitCode, code: "USAGE", message, advice: "See sessile --help" }
  if (DataFolderError.is(error)) return { exitCode: ExitCode.notFound, code: "NOT_FOUND", message }
  if (error instanceof OutputError) return { exitCode, code: error.code, message }
  if (isSystemError(error)) return failureOf(fileError("access a file", error.path ?? "", error))
  return { exitCode, code: "FAILED", message }
}

/** A failure as people read it. */
export function formatFailure({ message, records, advice }: Failure): string[] {
  return [
    `sessile: ${message}`,
    ...(records ?? []).map(({ key, reason }) => `  ${formatKey(key)}${reason ? `: ${reason}` : ""}`),
    ...(advice === undefined ? [] : [`${advice}.`]),
  ]
}

/** What the library recommends to its callers, as a command. */
function forUsers({ message, path = "DIR" }: StorageError): string {
  return message.replace(LEVEL_REPAIR, `run: sessile repair ${quoteArgument(`level:${path}`)}`)
}

const LEVEL_REPAIR = /(make a copy, then )?call LevelStorage\.repair\(path\)/

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "code" in error
}

function records(count: number): string {
  return count === 1 ? "one record" : `${count} records`
}

import { isDeepStrictEqual } from "node:util"
import { type Key, StorageError, type StorageErrorCode } from "@sessile/core/storage"
import { show } from "./show.js"

/** What was found instead of what a contract promises. */
export interface Finding {
  /** What went wrong, as a sentence. */
  readonly problem: string
  readonly key?: Key | undefined
  readonly expected?: unknown
  readonly actual?: unknown
}

/** A contract that does not hold, with the key, what was expected and what was found. */
export class ContractFailure extends Error {
  override readonly name = "ContractFailure"
  readonly finding: Finding

  constructor(finding: Finding) {
    super(describe(finding))
    this.finding = finding
  }
}

/** Fails unless both are the same JSON, property order included. */
export function expectSame(actual: unknown, expected: unknown, problem: string, key?: Key): void {
  // JSON keeps the order of properties, which deep equality does not look at, but not every string or number.
  if (isDeepStrictEqual(actual, expected) && JSON.stringify(actual) === JSON.stringify(expected)) return
  throw new ContractFailure({ problem, key, expected, actual })
}

/** Fails unless `condition` holds. */
export function expectThat(condition: boolean, problem: string, key?: Key): asserts condition {
  if (!condition) throw new ContractFailure({ problem, key })
}

/** Fails unless `action` rejects with a `StorageError` of this code, which is returned. */
export async function expectRejection(
  action: () => Promise<unknown>,
  code: StorageErrorCode,
  problem: string,
  key?: Key,
): Promise<StorageError> {
  let value: unknown
  try {
    value = await action()
  } catch (error) {
    if (StorageError.is(error, code)) return error
    throw new ContractFailure({ problem, key, expected: `a StorageError ${code}`, actual: error })
  }
  throw new ContractFailure({ problem, key, expected: `a rejection with ${code}`, actual: value })
}

/** Everything that an iteration gives. */
export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

function describe(finding: Finding): string {
  const lines = [finding.problem]
  if (finding.key !== undefined) lines.push(`key:      ${show(finding.key)}`)
  if ("expected" in finding) lines.push(`expected: ${show(finding.expected)}`)
  if ("actual" in finding) lines.push(`actual:   ${show(finding.actual)}`)
  return lines.join("\n")
}

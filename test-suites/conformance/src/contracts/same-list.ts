import { isDeepStrictEqual } from "node:util"
import { expectSame } from "../assertions.js"

const LONGEST_SHOWN_WHOLE = 8

/** Like `expectSame`, but where long lists differ, the failure shows the place where they part. */
export function expectSameList(
  actual: readonly unknown[],
  expected: readonly unknown[],
  problem: string,
): void {
  const isLong = Math.max(actual.length, expected.length) > LONGEST_SHOWN_WHOLE
  const parting = isLong ? firstDifference(actual, expected) : undefined
  if (parting !== undefined) {
    const start = Math.max(0, parting - 1)
    const around = (list: readonly unknown[]) => list.slice(start, start + 4)
    const place = `from position ${start} of ${actual.length}, expected were ${expected.length}`
    expectSame(around(actual), around(expected), `${problem} (${place})`)
  }
  expectSame(actual, expected, problem)
}

function firstDifference(a: readonly unknown[], b: readonly unknown[]): number | undefined {
  for (let position = 0; position < Math.max(a.length, b.length); position++) {
    if (!isDeepStrictEqual(a[position], b[position])) return position
  }
  return undefined
}

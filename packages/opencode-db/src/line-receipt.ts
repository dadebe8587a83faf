/** Numbers of rows that follow each other: the first and the last. */
export type RowRun = readonly [first: number, last: number]

/** Tells the rows of some lines: messages and parts, each in the order of the lines. */
export type LineReceipt = Readonly<Record<"message" | "part", readonly RowRun[]>>

/** Notes rows as they are added. Nearly always they get numbers that follow each other. */
export class RowRuns {
  readonly runs: [first: number, last: number][] = []
  #isOpen = false

  /** A row that `isAlone` is a run of its own: what is read together has to fit into memory several times. */
  add(row: number, isAlone: boolean): void {
    const run = this.runs.at(-1)
    if (!isAlone && this.#isOpen && run?.[1] === row - 1) run[1] = row
    else this.runs.push([row, row])
    this.#isOpen = !isAlone
  }
}

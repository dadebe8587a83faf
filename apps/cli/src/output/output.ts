import { styleText } from "node:util"
import { fold, type Line, lineText } from "./line.js"
import { escapeControls, printable } from "./printable.js"
import { writeToStdout } from "./stdout.js"

/** What a command prints. */
export interface OutputOptions {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

/**
 * Data goes to stdout, all else to stderr. Everything that the program prints passes through here, so that nothing from a
 * store, a path or an error can control the terminal.
 */
export class Output {
  /** Whether data is for machines. */
  readonly json: boolean
  /** Whether only data and failures are wanted. */
  readonly quiet: boolean

  constructor({ json = false, quiet = false }: OutputOptions) {
    this.json = json
    this.quiet = quiet
  }

  /**
   * Writes lines for people to stdout, folded to the width of the terminal.
   *
   * @throws OutputError when stdout cannot be written to
   */
  async print(lines: readonly Line[]): Promise<void> {
    const folded = lines.flatMap((line) => fold(line, terminalWidth()))
    await writeToStdout(folded.map((line) => `${rendered(line)}\n`).join(""))
  }

  /**
   * Writes JSON text, or a part of it, to stdout. Control characters are escaped, so that the values stay as they are.
   *
   * @throws OutputError when stdout cannot be written to
   */
  async printJson(text: string): Promise<void> {
    await writeToStdout(escapeControls(text))
  }

  /** Writes lines that are not data to stderr. */
  note(...lines: readonly string[]): void {
    process.stderr.write(lines.map((line) => `${printable(line)}\n`).join(""))
  }

  /** Writes to stderr what went wrong, or will. */
  warn(text: string): void {
    this.note(`sessile: ${text}`)
  }
}

function terminalWidth(): number {
  // A terminal that does not know its size says 0.
  return (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY
}

function rendered(line: Line): string {
  const text = printable(lineText(line))
  const isColoured = typeof line !== "string" && process.stdout.isTTY && !process.env.NO_COLOR
  return isColoured ? styleText(line.style, text) : text
}

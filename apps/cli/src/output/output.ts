import { once } from "node:events"
import { styleText } from "node:util"
import { printable } from "./layout.js"

/** How a command tells what it has to tell. */
export interface OutputOptions {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

/** A kind of emphasis, on terminals. */
export type Style = "bold" | "dim" | "green" | "red" | "yellow"

/** Data goes to stdout, all else to stderr. */
export class Output {
  /** Whether data is for machines. */
  readonly json: boolean
  /** Whether only data and failures are wanted. */
  readonly quiet: boolean

  constructor({ json = false, quiet = false }: OutputOptions) {
    this.json = json
    this.quiet = quiet
  }

  /** The columns that text on stdout should keep to. */
  get width(): number {
    // A terminal that does not know its size says 0.
    return (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY
  }

  /** Writes data, and waits while its reader is slower. */
  async print(text: string): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, "drain")
  }

  /** Tells a person something that is not data. */
  note(text: string): void {
    process.stderr.write(`${text}\n`)
  }

  /** Tells a person what went wrong, or will. */
  warn(text: string): void {
    this.note(`sessile: ${printable(text)}`)
  }

  paint(style: Style, text: string): string {
    return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text
  }
}

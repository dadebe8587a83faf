/** stdout cannot be written to. */
export class OutputError extends Error {
  override readonly name = "OutputError"
  readonly code: "FULL" | "IO"
  /** Whether its reader has closed it, as `head` does: then there is nobody to report to. */
  readonly isClosed: boolean

  constructor(cause: NodeJS.ErrnoException) {
    const isFull = cause.code === "ENOSPC" || cause.code === "EDQUOT"
    super(`Cannot write to stdout: ${isFull ? "no space left" : (cause.code ?? cause.message)}`, { cause })
    this.code = isFull ? "FULL" : "IO"
    this.isClosed = cause.code === "EPIPE"
  }
}

/**
 * Writes to stdout, and waits until it is written.
 *
 * @throws OutputError
 */
export async function writeToStdout(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputError(error)) : resolve()))
  })
}

/** Keeps errors of stdout and stderr from ending the process: `writeToStdout` rejects with them. */
export function handleStreamErrors(): void {
  process.stdout.on("error", () => undefined)
  // An error of stderr has nowhere to be reported.
  process.stderr.on("error", () => undefined)
}

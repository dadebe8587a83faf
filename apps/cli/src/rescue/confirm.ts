import { once } from "node:events"
import { createInterface } from "node:readline"

/** Where a question is asked. */
export interface Dialogue {
  readonly input: NodeJS.ReadableStream
  readonly output: { write(text: string): unknown }
  /** Takes the question back: the answer is no. */
  readonly signal: AbortSignal
}

/** Asks a question that only a clear yes answers. */
export async function confirm(question: string, { input, output, signal }: Dialogue): Promise<boolean> {
  output.write(`${question} [y/N] `)
  const lines = createInterface({ input, terminal: false })
  try {
    const [answer] = await Promise.race([once(lines, "line", { signal }), once(lines, "close", { signal })])
    return /^y(es)?$/i.test(String(answer ?? "").trim())
  } catch (error) {
    if ((error as Error).name !== "AbortError") throw error
    return false
  } finally {
    lines.close()
  }
}

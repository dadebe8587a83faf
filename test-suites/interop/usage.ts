import type { ExportedMessage } from "./exported-session.js"

/** What answers cost, and the tokens that they took. */
export interface Usage {
  readonly cost: number
  readonly tokens: {
    readonly input: number
    readonly output: number
    readonly reasoning: number
    readonly cache: { readonly read: number; readonly write: number }
  }
}

/** The usage of all messages together; questions have none. */
export function usageOf(messages: readonly ExportedMessage[]): Usage {
  const answers = messages.map(({ info }) => info as Partial<Usage>)
  const sum = (pick: (answer: Partial<Usage>) => number | undefined) =>
    answers.reduce((total, answer) => total + (pick(answer) ?? 0), 0)
  return {
    cost: sum(({ cost }) => cost),
    tokens: {
      input: sum(({ tokens }) => tokens?.input),
      output: sum(({ tokens }) => tokens?.output),
      reasoning: sum(({ tokens }) => tokens?.reasoning),
      cache: {
        read: sum(({ tokens }) => tokens?.cache.read),
        write: sum(({ tokens }) => tokens?.cache.write),
      },
    },
  }
}

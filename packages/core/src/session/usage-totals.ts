import { compareIdentifiers } from "../identifier/compare.js"
import type { AssistantMessage } from "../model/assistant-message.js"
import type { Message } from "../model/message.js"
import type { Session } from "../model/session.js"
import { ExactDecimal } from "./exact-decimal.js"
import { usableNumber } from "./usable-number.js"

/** What totals can be grouped by: a session's id, a project's, `provider/model`, or a day such as `2026-08-14`. */
export type UsageDimension = "session" | "project" | "model" | "day"

/** What a number of answers used together. */
export interface UsageTotal {
  /** How many answers. */
  readonly messages: number
  /** In dollars: the number nearest to the exact sum. */
  readonly cost: number
  readonly tokens: {
    readonly input: number
    readonly output: number
    readonly reasoning: number
    readonly cache: { readonly read: number; readonly write: number }
  }
}

/**
 * Adds up what the answers of models used. Sums are exact, and independent of the order in which messages come.
 *
 * A fork holds copies of the messages before it. Since nothing in them says so, they are told by their times:
 * a message that is not younger than its session was brought along. Such a message counts only when the original,
 * of the same times, model, cost and tokens, is not among what was added (it may have been deleted), then once
 * however many copies there are, and for the oldest session that has one. So the groups of every dimension add up
 * to the total, and nothing that was paid for counts twice.
 *
 * @example
 * ```ts
 * const totals = new UsageTotals()
 * for await (const { session, message } of answers) totals.add(session, message)
 * totals.total().cost
 * totals.by("model").get("anthropic/claude-sonnet-4-5")?.tokens.output
 * ```
 */
export class UsageTotals {
  readonly #originals: Answer[] = []
  readonly #origins = new Set<string>()
  readonly #copies = new Map<string, Answer>()

  /** Adds a message of a session; each may be added but once. Those of users change nothing. */
  add(session: Pick<Session, "id" | "projectID" | "time">, message: Message): void {
    if (message.role !== "assistant") return
    const answer = toAnswer(session, message)
    const origin = originOf(message, answer.amounts)
    if (message.time.created > session.time.created) {
      this.#originals.push(answer)
      this.#origins.add(origin)
      return
    }
    const known = this.#copies.get(origin)
    if (known === undefined || compareAge(answer, known) < 0) this.#copies.set(origin, answer)
  }

  /** The sum of all. */
  total(): UsageTotal {
    const sum = new Sum()
    for (const answer of this.#counted()) sum.add(answer)
    return sum.total()
  }

  /** The sums by session, project, model or day (in UTC), in no particular order. */
  by(dimension: UsageDimension): Map<string, UsageTotal> {
    const sums = new Map<string, Sum>()
    for (const answer of this.#counted()) {
      const sum = sums.get(answer[dimension]) ?? new Sum()
      sums.set(answer[dimension], sum)
      sum.add(answer)
    }
    return new Map(Array.from(sums, ([key, sum]) => [key, sum.total()]))
  }

  *#counted(): Generator<Answer, void, void> {
    yield* this.#originals
    for (const [origin, copy] of this.#copies) if (!this.#origins.has(origin)) yield copy
  }
}

interface Answer extends Readonly<Record<UsageDimension, string>> {
  readonly sessionCreated: number
  readonly amounts: readonly number[]
}

class Sum {
  #messages = 0
  readonly #amounts = Array.from({ length: 6 }, () => new ExactDecimal(0))

  add({ amounts }: Answer): void {
    this.#messages++
    for (const [index, amount] of amounts.entries()) {
      this.#amounts[index] = (this.#amounts[index] as ExactDecimal).plus(amount)
    }
  }

  total(): UsageTotal {
    const [cost, input, output, reasoning, read, write] = this.#amounts.map((amount) =>
      amount.toNumber(),
    ) as SixNumbers
    return { messages: this.#messages, cost, tokens: { input, output, reasoning, cache: { read, write } } }
  }
}

type SixNumbers = [number, number, number, number, number, number]

function toAnswer(session: Pick<Session, "id" | "projectID" | "time">, message: AssistantMessage): Answer {
  return {
    session: session.id,
    project: session.projectID ?? "global",
    model: `${message.providerID}/${message.modelID}`,
    day: dayOf(message.time.created),
    sessionCreated: session.time.created,
    amounts: amountsOf(message),
  }
}

// Messages that other tools wrote may lack any of these.
function amountsOf({ cost, tokens }: AssistantMessage): SixNumbers {
  const { input, output, reasoning, cache }: Partial<AssistantMessage["tokens"]> = tokens ?? {}
  return [cost, input, output, reasoning, cache?.read, cache?.write].map(usableNumber) as SixNumbers
}

// What a fork leaves as it was, and two answers hardly ever have in common.
function originOf({ time, providerID, modelID }: AssistantMessage, amounts: readonly number[]): string {
  return JSON.stringify([time.created, time.completed, providerID, modelID, ...amounts])
}

function compareAge(a: Answer, b: Answer): number {
  // The ids of sessions descend.
  return a.sessionCreated - b.sessionCreated || compareIdentifiers(b.session, a.session)
}

function dayOf(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? "unknown" : (date.toISOString().split("T")[0] as string)
}

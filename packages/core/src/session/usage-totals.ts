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
 * Adds up what the answers of models used. Sums are exact. Sessions are added newest first, by the time at which they
 * were created; what is held in memory grows with the sessions and their forks, not with the answers.
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
 * for await (const { session, message } of answersNewestSessionFirst) totals.add(session, message)
 * totals.total().cost
 * totals.by("model").get("anthropic/claude-sonnet-4-5")?.tokens.output
 * ```
 */
export class UsageTotals {
  readonly #groups = new Map<string, Group>()
  readonly #copies = new Map<string, Copy>()
  #reached = Number.POSITIVE_INFINITY

  /**
   * Adds a message of a session; each may be added but once. Those of users change nothing.
   *
   * @throws RangeError when the session is newer than one that was added before
   */
  add(session: Pick<Session, "id" | "projectID" | "time">, message: Message): void {
    const { created } = session.time
    if (created > this.#reached) throw new RangeError("Sessions are to be added newest first")
    this.#reached = created
    if (message.role !== "assistant") return
    const names = namesOf(session, message)
    const used = { messages: 1, amounts: amountsOf(message) }
    const origin = originOf(message, used.amounts)
    if (message.time.created > created) {
      // The session is older than all that hold copies of this answer, so they have been here.
      this.#copies.delete(origin)
      this.#groupOf(names).sum.add(used)
      return
    }
    const copy = { ...names, sum: used, sessionCreated: created }
    const known = this.#copies.get(origin)
    if (known === undefined || compareAge(copy, known) < 0) this.#copies.set(origin, copy)
  }

  /** The sum of all. */
  total(): UsageTotal {
    const total = new Sum()
    for (const { sum } of this.#counted()) total.add(sum)
    return total.total()
  }

  /** The sums by session, project, model or day (in UTC), in no particular order. */
  by(dimension: UsageDimension): Map<string, UsageTotal> {
    const sums = new Map<string, Sum>()
    for (const { [dimension]: name, sum } of this.#counted()) {
      const known = sums.get(name) ?? new Sum()
      sums.set(name, known)
      known.add(sum)
    }
    return new Map(Array.from(sums, ([name, sum]) => [name, sum.total()]))
  }

  #groupOf(names: Names): Group {
    const key = JSON.stringify([names.session, names.project, names.model, names.day])
    const group = this.#groups.get(key) ?? { ...names, sum: new Sum() }
    this.#groups.set(key, group)
    return group
  }

  *#counted(): Generator<Names & { readonly sum: Used }, void, void> {
    yield* this.#groups.values()
    yield* this.#copies.values()
  }
}

type Names = Readonly<Record<UsageDimension, string>>

/** What a number of answers used: how many they are, then cost and tokens. */
interface Used {
  readonly messages: number
  readonly amounts: readonly (number | ExactDecimal)[]
}

interface Group extends Names {
  readonly sum: Sum
}

interface Copy extends Names {
  readonly sum: Used
  readonly sessionCreated: number
}

const ZERO = new ExactDecimal(0)

class Sum implements Used {
  messages = 0
  readonly amounts: ExactDecimal[] = Array(6).fill(ZERO)

  add({ messages, amounts }: Used): void {
    this.messages += messages
    for (const [index, amount] of amounts.entries()) {
      this.amounts[index] = (this.amounts[index] as ExactDecimal).plus(amount)
    }
  }

  total(): UsageTotal {
    const numbers = this.amounts.map((amount) => amount.toNumber())
    const [cost, input, output, reasoning, read, write] = numbers as SixNumbers
    return { messages: this.messages, cost, tokens: { input, output, reasoning, cache: { read, write } } }
  }
}

type SixNumbers = [number, number, number, number, number, number]

function namesOf(session: Pick<Session, "id" | "projectID">, message: AssistantMessage): Names {
  return {
    session: session.id,
    project: session.projectID ?? "global",
    model: `${message.providerID}/${message.modelID}`,
    day: dayOf(message.time.created),
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

function compareAge(a: Copy, b: Copy): number {
  // The ids of sessions descend.
  return a.sessionCreated - b.sessionCreated || compareIdentifiers(b.session, a.session)
}

function dayOf(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? "unknown" : (date.toISOString().split("T")[0] as string)
}

import { once } from "node:events"
import { ModelError, toModelIssues } from "../../model/model-error.js"
import type { DriverEvent, ModelDriver, ModelRequest } from "../model-driver.js"
import { identifyRequest, type RecordingOptions } from "./identify-request.js"
import { reviveError } from "./recorded-error.js"
import { type RecordedExchange, type RecordedRequest, Recording } from "./recording.js"
import { RecordingError } from "./recording-error.js"

/** A driver that needs no model. */
export interface ReplayDriver extends ModelDriver {
  /** How many exchanges the run has not come to. */
  readonly remaining: number
}

/**
 * Answers requests with what was recorded for them. Each exchange serves once; equal requests get theirs in the order
 * of the recording. Which of several different ones comes first does not matter, so that runs may ask for things side
 * by side. An answer that was aborted waits for the signal at the place where it was.
 *
 * @param recording a {@link Recording}, such as a parsed file
 * @throws ModelError when it is none
 * @throws RecordingError while it is read: `EXHAUSTED` or `MISMATCH`
 *
 * @example
 * ```ts
 * const driver = replayDriver(JSON.parse(await readFile("run.json", "utf8")))
 * ```
 */
export function replayDriver(recording: unknown, options: RecordingOptions = {}): ReplayDriver {
  const exchanges = new UnusedExchanges(recording)
  return {
    get remaining() {
      return exchanges.count
    },
    async *stream(request) {
      yield* replay(exchanges.take(identifyRequest(request, options)), request)
    },
  }
}

async function* replay(exchange: RecordedExchange, { signal }: ModelRequest): AsyncGenerator<DriverEvent> {
  for (const event of exchange.events) {
    signal.throwIfAborted()
    yield event.type === "error" ? { type: "error", error: reviveError(event.error) } : event
  }
  if (exchange.error !== undefined) throw reviveError(exchange.error)
  if (!exchange.aborted) return
  if (!signal.aborted) await once(signal, "abort")
  throw signal.reason
}

class UnusedExchanges {
  readonly #unused: RecordedExchange[]
  readonly #total: number

  constructor(recording: unknown) {
    const { data, error } = Recording.safeParse(recording)
    if (error) throw new ModelError("recording", toModelIssues(error))
    this.#unused = [...data.exchanges]
    this.#total = data.exchanges.length
  }

  get count(): number {
    return this.#unused.length
  }

  take(asked: RecordedRequest): RecordedExchange {
    const position = this.#unused.findIndex(({ request }) => request.sha256 === asked.sha256)
    const [exchange] = position === -1 ? [] : this.#unused.splice(position, 1)
    if (exchange === undefined) throw this.#refusal(asked)
    return exchange
  }

  #refusal(asked: RecordedRequest): RecordingError {
    const [next] = this.#unused
    if (next === undefined) {
      return new RecordingError(
        "EXHAUSTED",
        `The run asks for ${show(asked)}, but all ${this.#total} exchanges of the recording are used up. Record it again.`,
      )
    }
    return new RecordingError(
      "MISMATCH",
      `The run asks for ${show(asked)}, which was not recorded; what comes next is ${show(next.request)}. ` +
        `Record it again, or leave out with "asked" what changes between runs.`,
    )
  }
}

function show({ model, messages, sha256 }: RecordedRequest): string {
  return `an answer of ${model} to ${messages} messages (${sha256.slice(0, 8)})`
}

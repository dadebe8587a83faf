import type { DriverEvent, ModelDriver, ModelRequest } from "../model-driver.js"
import { identifyRequest, type RecordingOptions } from "./identify-request.js"
import { recordError } from "./recorded-error.js"
import type { RecordedEvent, RecordedExchange } from "./recording.js"

/** Takes an exchange that has ended. A promise is awaited, and an error fails the request. */
export type RecordingSink = (exchange: RecordedExchange) => unknown

/**
 * Lets a driver work as ever, and hands each of its exchanges to `sink`, as plain JSON, when it has ended. Several
 * drivers may share a sink.
 *
 * @example
 * ```ts
 * const exchanges: RecordedExchange[] = []
 * const recorded = recordDriver(driver, (exchange) => exchanges.push(exchange))
 * // … a run later …
 * await writeFile("run.json", JSON.stringify({ version: 1, exchanges }))
 * ```
 */
export function recordDriver(
  driver: ModelDriver,
  sink: RecordingSink,
  options: RecordingOptions = {},
): ModelDriver {
  return { stream: (request) => record(driver, request, { sink, options }) }
}

async function* record(
  driver: ModelDriver,
  request: ModelRequest,
  { sink, options }: { readonly sink: RecordingSink; readonly options: RecordingOptions },
): AsyncGenerator<DriverEvent> {
  const events: RecordedEvent[] = []
  const exchange: RecordedExchange = { request: identifyRequest(request, options), events }
  let isComplete = false
  try {
    for await (const event of driver.stream(request)) {
      events.push(event.type === "error" ? { type: "error", error: recordError(event.error) } : event)
      yield event
    }
    isComplete = true
  } catch (error) {
    if (!request.signal.aborted) exchange.error = recordError(error)
    throw error
  } finally {
    if (!isComplete && request.signal.aborted) exchange.aborted = true
    await sink(JSON.parse(JSON.stringify(exchange)))
  }
}

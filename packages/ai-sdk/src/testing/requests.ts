import type { DriverEvent, ModelDriver, ModelRequest } from "@sessile/core/engine"

/** A request with a question, and whatever else a test is about. */
export function requestOf(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: { providerID: "mock", modelID: "large", limit: { context: 100_000, output: 4000 } },
    sessionID: "ses_1",
    messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    tools: [],
    signal: new AbortController().signal,
    ...fields,
  }
}

/** Reads a stream to its end, and calls `onEvent` for each event. */
export async function read(
  driver: ModelDriver,
  request: ModelRequest = requestOf(),
  onEvent: (event: DriverEvent) => void = () => undefined,
): Promise<DriverEvent[]> {
  const events: DriverEvent[] = []
  for await (const event of driver.stream(request)) {
    events.push(event)
    onEvent(event)
  }
  return events
}

/** What a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  const [result] = await Promise.allSettled([promise])
  if (result.status === "fulfilled") throw new Error("nothing failed")
  return result.reason
}

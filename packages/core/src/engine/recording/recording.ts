import { z } from "zod"
import type { DriverEvent } from "../model-driver.js"
import { RecordedError } from "./recorded-error.js"

/** What was asked: enough to recognise it, and to tell people what it was. */
export const RecordedRequest = z.object({
  /** `provider/model`. */
  model: z.string(),
  /** How many messages went along. */
  messages: z.number(),
  /** Of all that makes the request what it is. */
  sha256: z.string(),
})
export type RecordedRequest = z.output<typeof RecordedRequest>

/** An event as it came, except that errors are {@link RecordedError}s. */
export const RecordedEvent = z.custom<
  Exclude<DriverEvent, { type: "error" }> | { readonly type: "error"; readonly error: RecordedError }
>(
  (value) => z.looseObject({ type: z.string() }).safeParse(value).success,
  "Invalid input: expected an event with a type",
)
export type RecordedEvent = z.output<typeof RecordedEvent>

/** A request, and what came of it. */
export const RecordedExchange = z.object({
  request: RecordedRequest,
  events: z.array(RecordedEvent),
  /** What the driver threw behind the events. */
  error: RecordedError.optional(),
  /** The request was ended from outside, behind the events. */
  aborted: z.literal(true).optional(),
})
export type RecordedExchange = z.output<typeof RecordedExchange>

/** Some exchanges with models, as plain JSON. */
export const Recording = z.object({ version: z.literal(1), exchanges: z.array(RecordedExchange) })
export type Recording = z.output<typeof Recording>

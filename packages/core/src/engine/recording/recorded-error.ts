import { z } from "zod"
import { DriverError } from "../driver-error.js"

const driverDetails = z.object({
  kind: z.enum(["authentication", "output-length", "api"]),
  statusCode: z.number().optional(),
  isRetryable: z.boolean(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  responseBody: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
})

/** An error as plain JSON: what the engine looks at, without stack and cause. */
export const RecordedError = z.object({
  name: z.string(),
  message: z.string(),
  /** That of an error of the system, such as `ECONNRESET`. */
  code: z.string().optional(),
  /** What a {@link DriverError} tells beyond its message. */
  driver: driverDetails.optional(),
})
export type RecordedError = z.output<typeof RecordedError>

/** Restates an error, or whatever was thrown in place of one. */
export function recordError(error: unknown): RecordedError {
  if (DriverError.is(error)) {
    const { name, message } = error
    return { name, message, driver: driverDetails.parse(error) }
  }
  if (!(error instanceof Error)) return { name: "Error", message: String(error) }
  const { name, message, code } = error as NodeJS.ErrnoException
  return { name, message, ...(typeof code === "string" && { code }) }
}

/** Makes an error again that the engine takes for the one that was recorded. */
export function reviveError({ name, message, code, driver }: RecordedError): Error {
  if (driver !== undefined) return new DriverError(driver.kind, message, driver)
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) })
}

import { z } from "zod"

/** A moment in Unix milliseconds. */
export const Timestamp = z.number()
export type Timestamp = z.output<typeof Timestamp>

/**
 * An object of free form, such as the input of a tool. It is passed on as it is: a zod record would drop a
 * field called `__proto__`, which JSON allows.
 */
export const JsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "Invalid input: expected object",
)
export type JsonObject = z.output<typeof JsonObject>

import { z } from "zod"
import { createModel } from "./create-model.js"

const details = {
  providerID: z.string(),
  message: z.string(),
  statusCode: z.number(),
  isRetryable: z.boolean(),
  responseHeaders: z.record(z.string(), z.string()),
  responseBody: z.string(),
  metadata: z.record(z.string(), z.string()),
}

const optionalDetails = z.object(details).partial().shape

/**
 * Why a message failed, in either of its forms: `{ name, data: { message } }`, as releases write it, or flat,
 * `{ name, message }`. Names unknown to us pass. {@link errorDetails} reads both forms alike.
 */
export const MessageError = z.looseObject({
  name: z.string(),
  data: z.looseObject(optionalDetails).optional(),
  ...optionalDetails,
})
export type MessageError = z.output<typeof MessageError>

/** An error of the provider's interface, as we write it. */
export const NewAPIError = z.strictObject({
  name: z.literal("APIError"),
  data: z.strictObject({
    message: details.message,
    statusCode: details.statusCode.optional(),
    isRetryable: details.isRetryable,
    responseHeaders: details.responseHeaders.optional(),
    responseBody: details.responseBody.optional(),
    metadata: details.metadata.optional(),
  }),
})
export type NewAPIError = z.output<typeof NewAPIError>

/** An error as we write it: nested, under one of the names that the current release knows. */
export const NewMessageError = z.discriminatedUnion("name", [
  z.strictObject({
    name: z.literal("ProviderAuthError"),
    data: z.strictObject({ providerID: details.providerID, message: details.message }),
  }),
  z.strictObject({ name: z.literal("UnknownError"), data: z.strictObject({ message: details.message }) }),
  z.strictObject({ name: z.literal("MessageOutputLengthError"), data: z.strictObject({}) }),
  z.strictObject({
    name: z.literal("MessageAbortedError"),
    data: z.strictObject({ message: details.message }),
  }),
  NewAPIError,
])
export type NewMessageError = z.output<typeof NewMessageError>

/** What an error tells, whichever form it was stored in. */
export type ErrorDetails = { name: string } & Partial<z.output<z.ZodObject<typeof details>>>

/**
 * Reads an error of either form. An error called `Unknown` is given its current name, `UnknownError`; fields
 * that are not among {@link ErrorDetails} stay behind in the record.
 *
 * @example
 * ```ts
 * errorDetails({ name: "Unknown", message: "no answer" }) // { name: "UnknownError", message: "no answer" }
 * ```
 */
export function errorDetails(error: MessageError): ErrorDetails {
  const name = error.name === "Unknown" ? "UnknownError" : error.name
  return { name, ...knownDetails.parse(error.data ?? error) }
}

const knownDetails = z.object(optionalDetails)

/**
 * Makes an error.
 *
 * @throws {ModelError} when a field is missing, unknown or of the wrong type.
 */
export function newMessageError(fields: NewMessageError): NewMessageError {
  return createModel("MessageError", NewMessageError, fields)
}

import type { NewAPIError, NewMessageError } from "../model/message-error.js"
import { describeThrown } from "./describe-thrown.js"
import { DriverError } from "./driver-error.js"

const ABORTED = "The answer was aborted"

/** What is stored of an answer that was cancelled, or cut off by a crash. */
export function abortedError(): NewMessageError {
  return { name: "MessageAbortedError", data: { message: ABORTED } }
}

/** What is stored of a run that ended before the model had said its last. */
export function stepLimitError(steps: number): NewMessageError {
  const message = `The run ended after ${steps} steps, which is the limit; ask again to go on`
  return { name: "UnknownError", data: { message } }
}

/** What is stored of an assistant message that failed. Whatever was thrown, it does not throw. */
export function toMessageError(error: unknown, providerID: string): NewMessageError {
  try {
    return fromThrown(error, providerID)
  } catch {
    // A getter or a proxy of somebody else: nothing is known of what it throws.
    return { name: "UnknownError", data: { message: describeThrown(error) } }
  }
}

function fromThrown(error: unknown, providerID: string): NewMessageError {
  if (DriverError.is(error)) return fromDriver(error, providerID)
  const message = messageOf(error)
  if (errorCode(error) === "ECONNRESET") return apiError({ message, isRetryable: true })
  if (saysWait(message)) return apiError({ message, isRetryable: true })
  return { name: "UnknownError", data: { message } }
}

/** Whether it may help to ask again. */
export function isRetryable(error: NewMessageError): error is NewAPIError {
  return error.name === "APIError" && error.data.isRetryable
}

function fromDriver(error: DriverError, providerID: string): NewMessageError {
  const { message, statusCode, responseHeaders, responseBody, metadata } = error
  if (error.kind === "authentication") return { name: "ProviderAuthError", data: { providerID, message } }
  if (error.kind === "output-length") return { name: "MessageOutputLengthError", data: {} }
  return apiError({
    message,
    ...(statusCode !== undefined && { statusCode }),
    isRetryable:
      error.isRetryable ||
      isTransient(statusCode) ||
      errorCode(error) === "ECONNRESET" ||
      saysWait(`${message}\n${responseBody ?? ""}`),
    ...(responseHeaders && { responseHeaders: { ...responseHeaders } }),
    ...(responseBody !== undefined && { responseBody }),
    ...(metadata && { metadata: { ...metadata } }),
  })
}

function apiError(data: NewAPIError["data"]): NewAPIError {
  return { name: "APIError", data }
}

function isTransient(statusCode: number | undefined): boolean {
  return statusCode === 429 || (statusCode !== undefined && statusCode >= 500)
}

function saysWait(text: string): boolean {
  return /overloaded|rate[ _-]?limit|too[ _]many[ _]requests/i.test(text)
}

/** The `code` of an error, or of what caused it. */
function errorCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  return "code" in error ? error.code : errorCode(error.cause)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? String(error.message) : describeThrown(error)
}

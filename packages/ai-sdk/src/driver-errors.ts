import { DriverError } from "@sessile/core/engine"
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  NoOutputGeneratedError,
  TypeValidationError,
} from "ai"

const CONNECTION_CODES: readonly (string | undefined)[] = [
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
]

/** What an error of the AI SDK means to the engine; other errors stay what they are. */
export function toDriverError(error: unknown): unknown {
  const broken = brokenConnection(error)
  if (broken !== undefined) {
    return new DriverError("api", "The connection to the provider broke", {
      isRetryable: true,
      cause: broken,
    })
  }
  if (APICallError.isInstance(error)) return fromAnswer(error)
  if (LoadAPIKeyError.isInstance(error)) return new DriverError("authentication", error.message)
  if (NoOutputGeneratedError.isInstance(error) || InvalidResponseDataError.isInstance(error)) {
    return new DriverError("api", error.message, { isRetryable: true })
  }
  // Their messages quote the answer.
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return new DriverError("api", "The provider sent what the AI SDK does not understand")
  }
  return error instanceof Error ? error : fromStream(error)
}

// Of the error only its cause is kept, for it holds all that was sent; of the address no query, for some hold keys.
function fromAnswer(error: APICallError): DriverError {
  const { message, statusCode, isRetryable, responseHeaders, responseBody, url, cause } = error
  const [address = url] = url.split("?")
  const metadata = { url: address }
  const answer = { statusCode, isRetryable, responseHeaders, responseBody }
  return new DriverError("api", message, { ...answer, metadata, cause })
}

/** An error that the provider reported while it was answering, in a form of its own. */
function fromStream(error: unknown): DriverError {
  if (typeof error === "string") return new DriverError("api", error)
  const message = (error as { message?: unknown } | null | undefined)?.message
  return new DriverError("api", typeof message === "string" ? message : "The provider reported an error", {
    responseBody: JSON.stringify(error),
  })
}

/** The error of the system at the bottom of this one, if that is what it comes from. */
function brokenConnection(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as NodeJS.ErrnoException
  return CONNECTION_CODES.includes(code) ? error : brokenConnection(cause)
}

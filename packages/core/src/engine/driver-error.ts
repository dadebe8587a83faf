import { MarkedError } from "../error/marked-error.js"

/**
 * Why a request failed:
 *
 * | kind | meaning |
 * |---|---|
 * | `authentication` | there is no key to ask the provider with |
 * | `output-length` | the answer was cut where the model could say no more |
 * | `api` | the provider answered with an error, or did not answer |
 */
export type DriverErrorKind = "authentication" | "output-length" | "api"

/** What a provider answered. */
export interface DriverErrorDetails {
  readonly statusCode?: number
  readonly isRetryable?: boolean
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: string
  /** What else helps to find out, such as the address that was asked. */
  readonly metadata?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A request that failed for a reason that the driver knows. */
export class DriverError extends MarkedError {
  static override readonly type = "DriverError"
  readonly kind: DriverErrorKind
  readonly statusCode: number | undefined
  readonly isRetryable: boolean
  readonly responseHeaders: Readonly<Record<string, string>> | undefined
  readonly responseBody: string | undefined
  readonly metadata: Readonly<Record<string, string>> | undefined

  constructor(kind: DriverErrorKind, message: string, details: DriverErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.statusCode = details.statusCode
    this.isRetryable = details.isRetryable ?? false
    this.responseHeaders = details.responseHeaders
    this.responseBody = details.responseBody
    this.metadata = details.metadata
  }
}

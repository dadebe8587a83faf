const FIRST_DELAY = 2000
const LONGEST_UNHINTED_DELAY = 30_000

/** Timers take no more. */
const LONGEST_DELAY = 2 ** 31 - 1

/**
 * How many milliseconds to wait before asking again: what the server said in `retry-after-ms` or `retry-after`, else
 * two seconds, doubled with each attempt. Where there was no answer at all, at most thirty seconds.
 *
 * @param attempt how many requests have failed
 * @param headers those of the answer, if there was one
 * @param now by which a date in `retry-after` is understood
 */
export function retryDelay(
  attempt: number,
  headers: Readonly<Record<string, string>> | undefined,
  now: number,
): number {
  const growing = FIRST_DELAY * 2 ** (attempt - 1)
  if (headers === undefined) return Math.min(growing, LONGEST_UNHINTED_DELAY)
  return Math.min(hintedDelay(headers, now) ?? growing, LONGEST_DELAY)
}

function hintedDelay(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = Number.parseFloat(header(headers, "retry-after-ms") ?? "")
  if (milliseconds >= 0) return milliseconds
  const text = header(headers, "retry-after") ?? ""
  const seconds = Number.parseFloat(text)
  if (seconds >= 0) return Math.ceil(seconds * 1000)
  const wait = Date.parse(text) - now
  return wait > 0 ? Math.ceil(wait) : undefined
}

function header(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}

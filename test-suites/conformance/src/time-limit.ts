/** How long one contract may take unless said otherwise, in milliseconds. */
export const DEFAULT_TIME_LIMIT = 60_000

/** Something took longer than it may. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError"

  constructor(what: string, milliseconds: number) {
    super(`${what} within ${milliseconds / 1000} seconds`)
  }
}

/** Waits for `action`, and rejects when it takes too long; `what` did not happen then. The action itself goes on. */
export async function withinTimeLimit<T>(
  milliseconds: number,
  what: string,
  action: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(what, milliseconds)), milliseconds)
  })
  try {
    return await Promise.race([action(), limit])
  } finally {
    clearTimeout(timer)
  }
}

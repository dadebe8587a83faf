/** opencode's ids repeat their time part after this many milliseconds. */
export const WRAP = 2 ** 36

/** The first release of opencode that answers in a conversation with messages from before a wrap. */
export const FIRST_SAFE_RELEASE = "1.18.15"

/** When ids last began again, in milliseconds. */
export function lastWrap(now: number): number {
  return Math.floor(now / WRAP) * WRAP
}

/**
 * What someone who continues sessions has to know when some of them have messages from before the last wrap; nothing
 * when none has.
 *
 * @param sessions how many sessions have messages created before {@link lastWrap}
 */
export function wrapNotice(sessions: number, now = Date.now()): string | undefined {
  if (sessions === 0) return undefined
  const who = sessions === 1 ? "1 session has" : `${sessions} sessions have`
  const when = new Date(lastWrap(now)).toISOString()
  return `${who} messages from before ${when}, when opencode's ids began again: to continue them needs opencode ${FIRST_SAFE_RELEASE} or later, as earlier releases do not answer there`
}

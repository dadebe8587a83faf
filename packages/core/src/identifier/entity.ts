/** What each kind of entity puts before the underscore of its ids. */
export const identifierPrefixes = {
  session: "ses",
  message: "msg",
  part: "prt",
  permission: "per",
  question: "que",
  user: "usr",
  pty: "pty",
  tool: "tool",
  event: "evt",
  workspace: "wrk",
  job: "job",
} as const

/** The kinds of things that carry ids. */
export type Entity = keyof typeof identifierPrefixes

/** The kinds of records that a session owns beside its messages, each as `[kind, sessionID]`. */
export const sessionBelongings: readonly string[] = [
  "row_times",
  "session_diff",
  "session_share",
  "share",
  "todo",
]

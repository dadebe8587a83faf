/** The sizes at which sessions are asked for. */
export const sessionCounts = [1_000, 10_000, 100_000] as const

export const rowNames = {
  write: "write 5,000, one by one",
  read: "read 5,000, one by one",
  batch: "write a batch of 1,000",
  scan: "scan 5,000 with values",
  load: "load a session",
  listAndRead: "load it by list and read",
  newest: (count: number) => `newest 50 of ${count.toLocaleString("en")} sessions`,
  children: (count: number) => `children of one of ${count.toLocaleString("en")}`,
  messagesByScan: "2,000 messages by scan",
  messagesBySessions: "2,000 messages by Sessions",
  newestBySessions: (count: number) => `newest 50 of ${count.toLocaleString("en")} by Sessions`,
  childrenBySessions: (count: number) => `children of one of ${count.toLocaleString("en")} by Sessions`,
  fork: "fork 2,000 messages",
}

const ROOT_PREFIX = "New session - "
const CHILD_PREFIX = "Child session - "
const DEFAULT_TITLE = new RegExp(
  `^(${ROOT_PREFIX}|${CHILD_PREFIX})\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$`,
)
const FORK_TITLE = /^(?<title>.*) \(fork #(?<number>\d+)\)$/s

/** The title of a session that has none yet: `New session - 2026-08-14T11:19:55.136Z`, or `Child session - …`. */
export function defaultTitle(kind: "root" | "child", time: number): string {
  return (kind === "child" ? CHILD_PREFIX : ROOT_PREFIX) + new Date(time).toISOString()
}

/** Whether a title was made by {@link defaultTitle} and waits for a better one. */
export function isDefaultTitle(title: string): boolean {
  return DEFAULT_TITLE.test(title)
}

/** The title of a fork: `Fix the login (fork #1)`, and for a fork of that, `Fix the login (fork #2)`. */
export function forkTitle(title: string): string {
  const fork = FORK_TITLE.exec(title)?.groups
  return fork === undefined ? `${title} (fork #1)` : `${fork.title} (fork #${Number(fork.number) + 1})`
}

import type { Overview, SessionLine } from "./overview.js"

/** The overview as text for a terminal. */
export function formatOverview(path: string, { projects, sessions, damaged }: Overview): string {
  const messages = sessions.reduce((sum, line) => sum + line.messages, 0)
  const parts = sessions.reduce((sum, line) => sum + line.parts, 0)
  const lines = [
    path,
    `${projects.length} projects, ${sessions.length} sessions, ${messages} messages, ${parts} parts`,
    "",
    `${"updated".padEnd(19)}  ${"messages".padStart(8)}  ${"parts".padStart(5)}  title`,
    ...sessions.map(formatLine),
    ...damaged.map((error) => `damaged: ${error.message}`),
  ]
  return `${lines.join("\n")}\n`
}

function formatLine({ session, messages, parts }: SessionLine): string {
  const title = `${session.parentID === undefined ? "" : "  └ "}${printable(session.title)}`
  return `${formatTime(session.time?.updated)}  ${String(messages).padStart(8)}  ${String(parts).padStart(5)}  ${title}`
}

// Nothing was checked against the models: an overview of a damaged store is worth most.
function formatTime(time: unknown): string {
  const date = new Date(typeof time === "number" ? time : Number.NaN)
  return Number.isNaN(date.getTime())
    ? "unknown".padEnd(19)
    : date.toISOString().slice(0, 19).replace("T", " ")
}

// A title must not be able to steer the terminal.
function printable(text: unknown): string {
  return typeof text === "string" ? text.replace(/\p{Cc}/gu, "�") : ""
}

import type { Row } from "./column.js"
import { at, type JsonObject } from "./json-object.js"
import { messageCreated, sessionCreated, sessionUpdated, timeField } from "./record-time.js"

export const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** A project for a session whose project is missing. */
export function madeProject(id: string, session: JsonObject, sessionID: string): JsonObject {
  const time = { created: sessionCreated(session, sessionID), updated: sessionUpdated(session, sessionID) }
  if (id === "global") return { worktree: "/", time }
  const directory = at(session, ["directory"])
  // Every project but the global one is a git repository: its id is that of the first commit.
  return { worktree: typeof directory === "string" ? directory : "/", vcs: "git", time }
}

/** A session for messages whose session is missing. */
export function madeSession(messages: readonly unknown[]): JsonObject {
  const times = messages
    .map((message) => timeField(message, "created"))
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b)
  const directory = messages
    .map((message) => at(message, ["path", "cwd"]))
    .find((cwd) => typeof cwd === "string")
  return { title: "Recovered session", directory, time: { created: times[0], updated: times.at(-1) } }
}

/**
 * A message for parts whose message is missing, with all that opencode expects of one. It is an answer, which is
 * never sent again by itself, and its own parent, as there is no question that is known to be its.
 */
export function madeMessage(id: string, session: Row): JsonObject {
  const time = messageCreated(undefined, id, Number(session.time_created))
  return {
    role: "assistant",
    time: { created: time, completed: time },
    parentID: id,
    modelID: "unknown",
    providerID: "unknown",
    mode: "build",
    agent: "build",
    path: { cwd: session.directory, root: session.directory },
    cost: 0,
    tokens: noTokens,
    finish: "stop",
  }
}

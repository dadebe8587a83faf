import { createHash } from "node:crypto"
import type { Row } from "./column.js"
import { at, type JsonObject } from "./json-object.js"
import type { Model } from "./known-models.js"
import { sessionCreated, sessionUpdated, timeField } from "./record-time.js"

export const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** A project for a session whose project is missing. */
export function placeholderProject(id: string, session: JsonObject, sessionID: string): JsonObject {
  const time = { created: sessionCreated(session, sessionID), updated: sessionUpdated(session, sessionID) }
  if (id === "global") return { worktree: "/", time }
  const directory = at(session, ["directory"])
  // Every project but the global one is a git repository: its id is that of the first commit.
  return { worktree: typeof directory === "string" ? directory : "/", vcs: "git", time }
}

/** A session for messages whose session is missing. */
export function placeholderSession(messages: readonly unknown[]): JsonObject {
  const times = messages
    .map((message) => timeField(message, "created"))
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b)
  const directory = messages
    .map((message) => at(message, ["path", "cwd"]))
    .find((cwd) => typeof cwd === "string")
  return { title: "Recovered session", directory, time: { created: times[0], updated: times.at(-1) } }
}

/** What a placeholder is made of. */
export interface PlaceholderFields {
  readonly time: number
  readonly model: Model
}

/**
 * A message for parts whose message is missing, with all that opencode expects of one. It is an assistant message, which is
 * never sent again by itself.
 */
export function placeholderMessage(
  parentID: string,
  session: Row,
  { time, model }: PlaceholderFields,
): JsonObject {
  return {
    role: "assistant",
    time: { created: time, completed: time },
    parentID,
    modelID: model.modelID,
    providerID: model.providerID,
    mode: "build",
    agent: "build",
    path: { cwd: session.directory, root: session.directory },
    cost: 0,
    tokens: noTokens,
    finish: "stop",
  }
}

/** The parent of assistant messages in a session without any user message. Without parts, opencode sends nothing of it. */
export function placeholderParent({ time, model }: PlaceholderFields): JsonObject {
  return { role: "user", time: { created: time }, agent: "build", model: { ...model } }
}

/** An id for it: releases up to 1.18.14 go by the order of ids, so that it begins with the time as all ids do. */
export function placeholderParentID(sessionID: string, time: number): string {
  const timePart = BigInt.asUintN(48, BigInt(Math.trunc(time)) * 0x1000n)
  const rest = createHash("sha256").update(sessionID).digest("hex")
  return `msg_${timePart.toString(16).padStart(12, "0")}${rest.slice(0, 14)}`
}

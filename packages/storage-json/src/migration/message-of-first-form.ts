import { isObject, type JsonObject } from "./json-object.js"
import type { MessageIds } from "./legacy-message.js"

/** A message without its parts, these in today's form, and those that have none. */
export interface ConvertedMessage {
  readonly message: JsonObject
  readonly parts: readonly JsonObject[]
  readonly odd: readonly unknown[]
}

/**
 * A message of opencode 0.1: everything but its id and role is in `metadata`, what tools reported by the ids of their
 * calls, and its parts are those of the AI SDK of the time. What has no place today stays in `metadata`.
 */
export function messageOfFirstForm(
  { parts: _parts, metadata: _metadata, role, ...rest }: JsonObject,
  { time, sessionID: _session, assistant, error, tool, ...others }: JsonObject,
  inside: readonly unknown[],
  ids: MessageIds,
): ConvertedMessage {
  const reports = isObject(tool) ? tool : {}
  const used = new Set<string>()
  const parts: JsonObject[] = []
  const odd: unknown[] = []
  for (const part of inside) {
    const converted = isObject(part) ? convertPart(part, { reports, used, time }) : undefined
    if (converted === undefined) odd.push(part)
    else parts.push(converted)
  }
  const unused = Object.fromEntries(Object.entries(reports).filter(([call]) => !used.has(call)))
  const kept = {
    ...others,
    ...(isEmpty(unused) ? {} : { tool: unused }),
    ...(odd.length === 0 ? {} : { parts: odd }),
  }
  const message = {
    ...rest,
    id: ids.message,
    sessionID: ids.session,
    role,
    time,
    ...(role === "assistant" ? { mode: "build" } : {}),
    ...(isObject(assistant) ? assistant : {}),
    ...(error === undefined ? {} : { error }),
    ...(isEmpty(kept) ? {} : { metadata: kept }),
  }
  return { message, parts, odd }
}

/** What the parts of a message need of it. */
interface Surroundings {
  readonly reports: JsonObject
  readonly used: Set<string>
  readonly time: unknown
}

function convertPart(part: JsonObject, surroundings: Surroundings): JsonObject | undefined {
  if (part.type === "text" || part.type === "step-start") return part
  if (part.type === "reasoning") {
    const { providerMetadata, ...reasoning } = part
    const metadata = providerMetadata === undefined ? {} : { metadata: providerMetadata }
    return { ...reasoning, ...metadata, time: timesOf(surroundings.time) }
  }
  if (part.type === "file") {
    const { mediaType, ...file } = part
    return { ...file, mime: mediaType }
  }
  if (part.type === "tool-invocation" && isObject(part.toolInvocation)) {
    return convertCall(part.toolInvocation, surroundings)
  }
  return undefined
}

function convertCall(call: JsonObject, { reports, used, time }: Surroundings): JsonObject | undefined {
  const { state, toolCallId, toolName, args, result } = call
  const report = typeof toolCallId === "string" ? reports[toolCallId] : undefined
  const { title = "", time: times = timesOf(time), ...metadata } = isObject(report) ? report : {}
  const input = args ?? {}
  const states: Record<string, JsonObject> = {
    "partial-call": { status: "pending", input, raw: "" },
    call: { status: "running", input, metadata, time: isObject(times) ? { start: times.start } : times },
    result: { status: "completed", input, output: result, title, metadata, time: times },
  }
  const converted = states[String(state)]
  if (converted === undefined) return undefined
  if (typeof toolCallId === "string") used.add(toolCallId)
  return { type: "tool", callID: toolCallId, tool: toolName, state: converted }
}

function timesOf(time: unknown): JsonObject {
  if (!isObject(time)) return {}
  return { start: time.created, end: time.completed ?? time.created }
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0
}

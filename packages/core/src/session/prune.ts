import type { ToolPart } from "../model/content-part.js"
import type { Part } from "../model/part.js"
import type { ToolStateCompleted } from "../model/tool-state.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { estimateTokens } from "./token-estimate.js"

const PROTECTED_TURNS = 2
const PROTECTED_TOKENS = 40_000
const MINIMUM_TOKENS = 20_000
const PROTECTED_TOOLS: readonly string[] = ["skill"]

/** A completed call of a tool. Without `time`, which some tools leave out, there is no place for the mark. */
export type PrunablePart = ToolPart & {
  state: ToolStateCompleted & { time: NonNullable<ToolStateCompleted["time"]> }
}

/**
 * The tool calls whose outputs the context can do without, newest first; to be marked with `state.time.compacted`.
 * The newest two turns of the user and the newest 40,000 tokens of output before them stay, as does whatever `skill`
 * gave; nothing is given unless more than 20,000 tokens are won. What lies before a summary or before an output
 * that was pruned already has been decided on.
 *
 * @param messages those of one session, oldest first
 */
export function partsToPrune(messages: readonly MessageWithParts[]): PrunablePart[] {
  let seen = 0
  let won = 0
  const pruned: PrunablePart[] = []
  for (const part of undecidedParts(messages)) {
    const tokens = estimateTokens(part.state.output)
    seen += tokens
    if (seen <= PROTECTED_TOKENS) continue
    won += tokens
    pruned.push(part)
  }
  return won > MINIMUM_TOKENS ? pruned : []
}

function* undecidedParts(messages: readonly MessageWithParts[]): Generator<PrunablePart, void, void> {
  let turns = 0
  for (const { info, parts } of messages.toReversed()) {
    if (info.role === "user") turns++
    if (turns < PROTECTED_TURNS) continue
    if (info.role === "assistant" && info.summary) return
    for (const part of parts.toReversed()) {
      if (!isPrunable(part)) continue
      if (part.state.time.compacted !== undefined) return
      yield part
    }
  }
}

function isPrunable(part: Part): part is PrunablePart {
  if (part.type !== "tool" || PROTECTED_TOOLS.includes(part.tool)) return false
  return part.state.status === "completed" && part.state.time !== undefined
}

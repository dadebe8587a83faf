import type { NewAssistantMessage, NewTokenUsage } from "@sessile/core/model"
import { type Conversation, writePart } from "./conversation.js"
import { delegateTask, makeToolCall, type ToolCall } from "./tool-call.js"

/** Writes one answer of the model: what it thought, said and called, and what that cost. The last calls nothing. */
export function writeStep(conversation: Conversation, parentID: string, isLast: boolean): ToolCall[] {
  const { workshop, sessionID, worktree, agent, model } = conversation
  const { random, texts, clock, identifiers, files } = workshop
  const id = identifiers.ascending("message")
  const created = clock.now()
  const snapshot = random.hash()
  clock.pass(random.longTailed(800, 0.5))
  writePart(conversation, id, { type: "step-start", snapshot })
  if (random.chance(0.35)) {
    const text = texts.prose(random.longTailed(400, 1))
    writePart(conversation, id, { type: "reasoning", text, time: passTime(conversation) })
  }
  if (isLast || random.chance(0.7)) {
    const text = texts.prose(random.longTailed(350, 1.1))
    writePart(conversation, id, { type: "text", text, time: passTime(conversation) })
  }
  const calls = isLast ? [] : [writeToolCall(conversation, id)]
  if (!isLast && random.chance(0.25)) calls.push(writeToolCall(conversation, id))
  const finish = isLast ? "stop" : "tool-calls"
  const tokens = makeTokens(conversation)
  const cost = (tokens.input * 3 + tokens.output * 15 + tokens.cache.read * 0.3) / 1e6
  writePart(conversation, id, { type: "step-finish", reason: finish, snapshot: random.hash(), cost, tokens })
  const changed = calls.flatMap(({ diff }) => (diff === undefined ? [] : [`${worktree}/${diff.file}`]))
  if (changed.length > 0) writePart(conversation, id, { type: "patch", hash: snapshot, files: changed })
  const message: NewAssistantMessage = {
    id,
    sessionID,
    role: "assistant",
    time: { created, completed: clock.now() },
    parentID,
    modelID: model.modelID,
    providerID: model.providerID,
    mode: agent,
    agent,
    path: { cwd: worktree, root: worktree },
    cost,
    tokens,
    finish,
  }
  files.write(["message", sessionID, id], message)
  return calls
}

function writeToolCall(conversation: Conversation, messageID: string): ToolCall {
  const { workshop, worktree } = conversation
  const { random, clock } = workshop
  const start = clock.now()
  const call = delegateTask(conversation) ?? makeToolCall(workshop, worktree)
  clock.pass(random.longTailed(400, 1.2))
  const { tool, title, input, output, metadata } = call
  const time = { start, end: clock.now() }
  writePart(conversation, messageID, {
    type: "tool",
    callID: `call_${random.hash().slice(0, 24)}`,
    tool,
    state: { status: "completed", input, output, title, metadata, time },
  })
  return call
}

function passTime({ workshop: { random, clock } }: Conversation): { start: number; end: number } {
  const start = clock.now()
  clock.pass(random.longTailed(3_000, 0.8))
  return { start, end: clock.now() }
}

function makeTokens({ workshop: { random } }: Conversation): NewTokenUsage {
  const input = random.longTailed(2_000, 1)
  const output = random.longTailed(300, 1)
  const read = random.longTailed(20_000, 0.8)
  return { total: input + output + read, input, output, reasoning: 0, cache: { read, write: 0 } }
}

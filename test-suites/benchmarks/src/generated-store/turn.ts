import type { NewFileDiff, NewUserMessage } from "@sessile/core/model"
import { type Conversation, writePart } from "./conversation.js"
import { writeStep } from "./step.js"

/** Writes what the user asked, and the steps in which the model answered it. */
export function writeTurn(conversation: Conversation): void {
  const { workshop, sessionID, agent, model, diffs } = conversation
  const { random, texts, clock, identifiers, files } = workshop
  clock.pass(random.longTailed(40_000, 1))
  const id = identifiers.ascending("message")
  const created = clock.now()
  writePart(conversation, id, { type: "text", text: texts.prose(random.longTailed(120, 1.2)) })
  if (random.chance(0.006)) attachImage(conversation, id)
  const changed = new Map<string, NewFileDiff>()
  for (let left = random.longTailed(2.9, 0.6); left > 0; left--) {
    for (const { diff, todos } of writeStep(conversation, id, left === 1)) {
      if (diff !== undefined) changed.set(diff.file, diff)
      if (todos !== undefined) conversation.todos = todos
    }
  }
  for (const [file, diff] of changed) diffs.set(file, diff)
  const message: NewUserMessage = {
    id,
    sessionID,
    role: "user",
    time: { created },
    summary: { title: texts.title(random.integer(3, 8)), diffs: [...changed.values()] },
    agent,
    model,
  }
  files.write(["message", sessionID, id], message)
}

function attachImage(conversation: Conversation, messageID: string): void {
  const { random } = conversation.workshop
  // Compressed images have no pattern, and neither has this.
  const image = Buffer.from(random.bytes(random.integer(50_000, 250_000))).toString("base64")
  const url = `data:image/png;base64,${image}`
  writePart(conversation, messageID, { type: "file", mime: "image/png", filename: "screenshot.png", url })
}

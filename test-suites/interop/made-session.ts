import { createIdentifiers } from "@sessile/core/identifier"
import { newAssistantMessage, newPart, newSession, newUserMessage } from "@sessile/core/model"
import type { ExportedSession } from "./exported-session.js"
import { projectID } from "./worktree.js"

/** A question and its answer, made with Sessile's own identifiers and constructors. */
export function makeSession(): ExportedSession {
  const identifiers = createIdentifiers()
  const now = Date.now()
  const worktree = "/home/dev/code/acme"
  const model = { providerID: "anthropic", modelID: "claude-sonnet-4-20250514" }
  const sessionID = identifiers.descending("session")
  const question = newUserMessage({
    id: identifiers.ascending("message"),
    sessionID,
    time: { created: now },
    agent: "build",
    model,
  })
  const answer = newAssistantMessage({
    id: identifiers.ascending("message"),
    sessionID,
    time: { created: now + 20, completed: now + 50 },
    parentID: question.id,
    ...model,
    mode: "build",
    agent: "build",
    path: { cwd: worktree, root: worktree },
    cost: 0.003,
    tokens: { input: 1000, output: 500, reasoning: 0, cache: { read: 0, write: 0 } },
    finish: "stop",
  })
  const part = (messageID: string) => ({ id: identifiers.ascending("part"), sessionID, messageID })
  return {
    info: newSession({
      id: sessionID,
      slug: "quiet-harbor",
      version: "1.1.65",
      projectID,
      directory: worktree,
      title: "Made without opencode – naïve café 🎉",
      time: { created: now, updated: now + 50 },
    }),
    messages: [
      {
        info: question,
        parts: [newPart({ ...part(question.id), type: "text", text: "What does index.js export?" })],
      },
      {
        info: answer,
        parts: [
          newPart({ ...part(answer.id), type: "step-start" }),
          newPart({
            ...part(answer.id),
            type: "text",
            text: "One function, `add`.",
            time: { start: now, end: now },
          }),
        ],
      },
    ],
  }
}

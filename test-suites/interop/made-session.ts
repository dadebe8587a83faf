import type { ExportedSession } from "./exported-session.js"
import { projectID } from "./opencode-sandbox.js"

const created = 1_794_800_000_000
const worktree = "/home/dev/code/acme"
const model = { providerID: "anthropic", modelID: "claude-sonnet-4-20250514" }

const sessionID = "ses_e1d9563ffffeQ7mWc2ZrT0kXbN"
const questionID = "msg_1e26a9c0a001Hn5VdRz8pYt3Lq"
const answerID = "msg_1e26a9c14001eJ9sKuB4oWx6Gf"

/** A question and its answer, made by hand, with every field that opencode 1.1.65 needs and no other. */
export const madeSession: ExportedSession = {
  info: {
    id: sessionID,
    projectID,
    directory: worktree,
    title: "Made without opencode – naïve café 🎉",
    version: "0.0.0",
    time: { created, updated: created + 50 },
  },
  messages: [
    {
      info: {
        id: questionID,
        sessionID,
        role: "user",
        time: { created: created + 10 },
        agent: "build",
        model,
      },
      parts: [
        {
          id: "prt_1e26a9c0a002Ym1TqCi7hPa5Zv",
          sessionID,
          messageID: questionID,
          type: "text",
          text: "What does index.js export?",
        },
      ],
    },
    {
      info: {
        id: answerID,
        sessionID,
        role: "assistant",
        time: { created: created + 20, completed: created + 50 },
        parentID: questionID,
        ...model,
        mode: "build",
        agent: "build",
        path: { cwd: worktree, root: worktree },
        cost: 0.003,
        tokens: { input: 1000, output: 500, reasoning: 0, cache: { read: 0, write: 0 } },
        finish: "stop",
      },
      parts: [
        {
          id: "prt_1e26a9c1e001uD3xOeN9gMk2Sb",
          sessionID,
          messageID: answerID,
          type: "text",
          text: "A function that adds two numbers.",
          time: { start: created + 30, end: created + 40 },
        },
      ],
    },
  ],
}

import {
  answer,
  inOrder,
  pause,
  reasoning,
  refusal,
  type Script,
  text,
  toolCall,
  usage,
} from "@sessile/model-server"
import type { OpenEngine } from "../open-engine.js"

/** What a model said once, and what was asked of it. */
export interface Scenario {
  /** Also the name of its recording. */
  readonly name: string
  /** What the large model says; the small one makes titles. */
  readonly script: () => Script
  /** Asks in a new session. */
  readonly ask: (sessionID: string, opened: OpenEngine) => Promise<unknown>
}

export const scenarios: readonly Scenario[] = [
  {
    name: "texts",
    script: () =>
      inOrder(
        answer(
          reasoning("Somebody ", "greets."),
          text("Hello ", "Ünïcode ", "日本語 😀  \n"),
          usage({ input: 900, output: 40, reasoning: 12 }),
        ),
        answer(text("Yes."), usage({ input: 960, output: 3, cached: 900 })),
      ),
    async ask(sessionID, { engine }) {
      await prompt(engine, sessionID, "Good morning")
      await prompt(engine, sessionID, "Still there?")
    },
  },
  {
    name: "tools",
    script: () =>
      inOrder(
        answer(
          text("Two at once."),
          toolCall("echo", { text: "one" }),
          toolCall("picture", {}),
          usage({ input: 900, output: 30 }),
        ),
        answer(
          toolCall("echo", { text: 7 }),
          toolCall("unknown", {}),
          toolCall("echo", "{ no JSON"),
          usage({ input: 990, output: 30, cached: 900 }),
        ),
        answer(text("Done."), usage({ input: 1_100, output: 5, cached: 990 })),
      ),
    ask: (sessionID, { engine }) => prompt(engine, sessionID, "Use your tools"),
  },
  {
    name: "permissions",
    script: () =>
      inOrder(
        answer(toolCall("fetch", { path: "/tmp/allowed" }), usage({ input: 900, output: 20 })),
        answer(toolCall("fetch", { path: "/tmp/secret" }), usage({ input: 930, output: 20 })),
        answer(text("Then I leave it."), usage({ input: 960, output: 8 })),
      ),
    async ask(sessionID, { engine, permissions, bus }) {
      bus.subscribe("permission.asked", ({ properties: { id, patterns } }) =>
        permissions.reply(id, patterns.includes("/tmp/secret") ? "reject" : "once"),
      )
      await prompt(engine, sessionID, "Get both files")
      await prompt(engine, sessionID, "Not that one")
    },
  },
  {
    name: "tasks",
    script: () =>
      inOrder(
        answer(
          toolCall("task", { description: "look around", prompt: "Look", subagent_type: "general" }),
          usage({ input: 900, output: 40 }),
        ),
        answer(toolCall("echo", { text: "found" }), usage({ input: 400, output: 15 })),
        answer(text("I found it."), usage({ input: 420, output: 6, cached: 400 })),
        answer(text("It was found."), usage({ input: 980, output: 6, cached: 900 })),
        answer(text("Nothing else."), usage({ input: 400, output: 6 })),
        answer(text("That was all."), usage({ input: 1_050, output: 6, cached: 980 })),
      ),
    async ask(sessionID, { engine }) {
      await prompt(engine, sessionID, "Have somebody look")
      const subtask = {
        type: "subtask",
        prompt: "Look again",
        description: "look again",
        agent: "general",
      } as const
      await engine.prompt(sessionID, { parts: [subtask] })
    },
  },
  {
    name: "compaction",
    script: () =>
      inOrder(
        answer(toolCall("echo", { text: "much" }), usage({ input: 95_000, output: 4_000 })),
        answer(text("Much was said."), usage({ input: 95_000, output: 200 })),
        answer(text("I went on."), usage({ input: 1_200, output: 9 })),
        answer(text("Little was said."), usage({ input: 1_300, output: 20 })),
      ),
    async ask(sessionID, { engine }) {
      await prompt(engine, sessionID, "Fill the context")
      await engine.compact(sessionID)
    },
  },
  {
    name: "plans",
    script: () =>
      inOrder(
        answer(text("First this, then that."), usage({ input: 900, output: 20 })),
        answer(toolCall("echo", { text: "this" }), usage({ input: 980, output: 15 })),
        answer(text("Built."), usage({ input: 1_000, output: 4 })),
      ),
    async ask(sessionID, { engine }) {
      await prompt(engine, sessionID, "Plan it", "plan")
      await prompt(engine, sessionID, "Build it", "build")
    },
  },
  {
    name: "failures",
    script: () => {
      // The headers of a server that are the same each time.
      const headers = { date: "Fri, 15 Jan 2027 08:00:00 GMT", connection: "close" }
      return inOrder(
        refusal(429, "Slow down", { ...headers, "retry-after-ms": "1" }),
        refusal(500, "Try again", { ...headers, "retry-after-ms": "1" }),
        answer(text("At last."), usage({ input: 900, output: 5 })),
        refusal(401, "No such key", headers),
      )
    },
    async ask(sessionID, { engine }) {
      await prompt(engine, sessionID, "Keep trying")
      await prompt(engine, sessionID, "And again")
    },
  },
  {
    name: "cancelled",
    script: () =>
      inOrder(
        answer(
          text("I begin, and "),
          pause(() => new Promise(() => undefined)),
        ),
        answer(text("Go on."), usage({ input: 900, output: 5 })),
      ),
    async ask(sessionID, { engine, bus }) {
      const unsubscribe = bus.subscribe("message.part.updated", ({ properties: { delta } }) => {
        if (delta !== undefined) engine.cancel(sessionID)
      })
      await prompt(engine, sessionID, "Say much")
      unsubscribe()
      await prompt(engine, sessionID, "Stop. Ready?")
    },
  },
]

function prompt(engine: OpenEngine["engine"], sessionID: string, words: string, agent?: string) {
  return engine.prompt(sessionID, { parts: [{ type: "text", text: words }], agent })
}

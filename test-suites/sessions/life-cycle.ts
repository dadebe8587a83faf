import { type BusEvent, EventBus } from "@sessile/core/event"
import type { ToolPart } from "@sessile/core/model"
import { type MessageFields, Sessions, type SessionsOptions } from "@sessile/core/session"
import type { Storage } from "@sessile/core/storage"
import { gather } from "./stores.js"

const model = { providerID: "anthropic", modelID: "large" }
const tokens = { input: 10, output: 20, reasoning: 0, cache: { read: 5, write: 0 } }

/** Sessions whose ids, slugs and times are the same in every run, and which tell of what happens. */
export function openSessions(
  storage: Storage,
  options: Partial<SessionsOptions> = {},
): { readonly sessions: Sessions; readonly events: BusEvent<object>[] } {
  let time = 1_800_000_000_000
  let byte = 0
  const events: BusEvent<object>[] = []
  const bus = new EventBus()
  bus.subscribe("*", (event) => events.push(event as BusEvent<object>))
  const sessions = new Sessions({
    storage,
    project: { id: "acme", worktree: "/home/dev/acme", vcs: "git" },
    bus,
    clock: () => time++,
    random: (size) => Uint8Array.from({ length: size }, () => byte++ % 251),
    timer: () => () => undefined,
    shareService: {
      create: async ({ id }) => ({ id, secret: "secret", url: `https://example.com/${id}` }),
      remove: async () => undefined,
    },
    ...options,
  })
  return { sessions, events }
}

export const question: MessageFields = { role: "user", agent: "build", model }

export function answer(parentID: string): MessageFields {
  const path = { cwd: "/", root: "/" }
  return { role: "assistant", parentID, agent: "build", mode: "build", ...model, path, cost: 0.25, tokens }
}

/** Does everything that can be done with sessions, and gives all that came of it. */
export async function live({ sessions }: ReturnType<typeof openSessions>): Promise<unknown[]> {
  const { messages, parts } = sessions
  const root = await sessions.create({ title: "Fix the login" })
  const child = await sessions.create({ parentID: root.id })
  const grandchild = await sessions.create({ parentID: child.id, title: "Ünïcode 日本語 😀" })
  const others = [await sessions.create({ directory: "/elsewhere" }), await sessions.create()] as const

  const { info: asked } = await messages.add(root.id, question, [{ type: "text", text: "Why does it fail?" }])
  const { info: answered } = await messages.add(root.id, answer(asked.id))
  const text = await parts.add(answered, { type: "text", text: "" })
  const writer = await parts.write(text)
  for (const word of ["Because ", "it ", "is ", "late. "]) writer.append(word)
  await writer.end((draft) => {
    draft.text = draft.text.trimEnd()
  })
  const state = { status: "pending", input: {}, raw: "" } as const
  const call = await parts.add(answered, { type: "tool", callID: "call_1", tool: "bash", state })
  await parts.update<ToolPart>(call, (draft) => {
    draft.state = { status: "running", input: { command: "ls" }, time: { start: 1 } }
  })
  const backwards = (draft: ToolPart) => {
    draft.state = { ...state }
  }
  const refusals = [
    await refusal(parts.update<ToolPart>(call, backwards)),
    await refusal(sessions.update(root.id, (draft) => Object.assign(draft, { parentID: grandchild.id }))),
    await refusal(sessions.create({ parentID: "ses_unknown" })),
    await refusal(messages.update({ sessionID: child.id, id: asked.id }, () => undefined)),
  ]
  await messages.update(answered, (draft) => Object.assign(draft, { finish: "stop" }))
  const { info: again } = await messages.add(root.id, question, [{ type: "text", text: "And now?" }])

  const forks = [await sessions.fork(root.id), await sessions.fork(root.id, { messageID: again.id })] as const
  await sessions.setTodos(child.id, [{ id: "1", content: "Look", status: "pending", priority: "high" }])
  await sessions.share(root.id)
  await sessions.share(forks[0].id)
  await sessions.unshare(forks[0].id)
  await sessions.archive(others[0].id)
  await sessions.revert(forks[1].id, { messageID: (await newest(sessions, forks[1].id)) as string })
  await sessions.cleanUp(forks[1].id)
  await sessions.summarize(root.id, { messageID: asked.id })
  await sessions.touch(others[1].id)
  await messages.remove(again)

  const first = await sessions.page({ limit: 2 })
  const outcome = [
    await gather(sessions.list({ archived: "include" })),
    await gather(sessions.list({ search: "LOGIN", roots: true })),
    [first, await sessions.page({ limit: 2, cursor: first.cursor })],
    await sessions.tree(root.id),
    await messages.load(root.id),
    await gather(messages.stream(forks[0].id)),
    await sessions.history(forks[1].id),
    await sessions.transcript(root.id),
    await gather(sessions.index()),
    (await sessions.usage()).by("session"),
    refusals,
  ]
  await sessions.remove(child.id)
  await sessions.close()
  return outcome
}

async function newest(sessions: Sessions, sessionID: string): Promise<string | undefined> {
  for await (const { info } of sessions.messages.stream(sessionID)) return info.id
  return undefined
}

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "accepted",
    (error: { code?: unknown }) => error.code,
  )
}

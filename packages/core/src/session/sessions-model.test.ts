import fc from "fast-check"
import { expect, it } from "vitest"
import { SessionError } from "./session-error.js"
import { gather, question, Workbench } from "./testing/workbench.js"

/** What there should be: sessions by number, each with its parent, title and texts in order. */
interface Model {
  readonly sessions: Map<string, { parentID: string | undefined; title: string; texts: string[] }>
}

const slot = fc.nat({ max: 7 })
const commands = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("create" as const), parent: fc.option(slot) }),
    fc.record({ type: fc.constant("rename" as const), session: slot, title: fc.string() }),
    fc.record({ type: fc.constant("move" as const), session: slot, parent: slot }),
    fc.record({ type: fc.constant("say" as const), session: slot, text: fc.string() }),
    fc.record({ type: fc.constant("unsay" as const), session: slot, position: slot }),
    fc.record({ type: fc.constant("fork" as const), session: slot, position: fc.option(slot) }),
    fc.record({ type: fc.constant("remove" as const), session: slot }),
  ),
  { minLength: 10, maxLength: 40 },
)

it("sessions behave as a simple model does, whatever is done with them", async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const bench = new Workbench()
      const model: Model = { sessions: new Map() }
      for (const command of list) {
        bench.now++
        await perform(bench, model, command)
      }
      await expectSame(bench, model)
    }),
    { numRuns: 100 },
  )
})

type Command = typeof commands extends fc.Arbitrary<(infer Each)[]> ? Each : never

async function perform({ sessions }: Workbench, { sessions: known }: Model, command: Command): Promise<void> {
  const idAt = (position: number | null) =>
    position === null ? undefined : pick([...known.keys()], position)
  if (command.type === "create") {
    const parentID = idAt(command.parent)
    const { id, title } = await sessions.create({ parentID })
    known.set(id, { parentID, title, texts: [] })
    return
  }
  const id = idAt(command.session)
  const session = known.get(id ?? "")
  if (id === undefined || session === undefined) return
  if (command.type === "rename") {
    session.title = command.title
    await sessions.update(id, (draft) => Object.assign(draft, { title: command.title }))
  } else if (command.type === "move") {
    const parentID = idAt(command.parent)
    const isRefused = parentID !== undefined && ancestors(known, parentID).includes(id)
    const update = sessions.update(id, (draft) => Object.assign(draft, { parentID }))
    const refusal = await update.catch((error: unknown) => error)
    expect(SessionError.is(refusal, "CYCLE")).toBe(isRefused)
    if (!isRefused) session.parentID = parentID
  } else if (command.type === "say") {
    session.texts.push(command.text)
    await sessions.messages.add(id, question, [{ type: "text", text: command.text }])
  } else if (command.type === "unsay") {
    const messages = await sessions.messages.load(id)
    const message = pick(messages, command.position)
    if (message === undefined) return
    session.texts.splice(messages.indexOf(message), 1)
    await sessions.messages.remove(message.info)
  } else if (command.type === "fork") {
    const messages = await sessions.messages.load(id)
    const message = command.position === null ? undefined : pick(messages, command.position)
    const fork = await sessions.fork(id, { messageID: message?.info.id })
    const end = message === undefined ? messages.length : messages.indexOf(message)
    known.set(fork.id, { parentID: undefined, title: fork.title, texts: session.texts.slice(0, end) })
  } else {
    await sessions.remove(id)
    const doomed = [...known.keys()].filter((other) => ancestors(known, other).includes(id))
    for (const other of doomed) known.delete(other)
  }
}

function pick<T>(items: readonly T[], position: number): T | undefined {
  return items[position % items.length]
}

/** A session and those it descends from. */
function ancestors(known: Model["sessions"], id: string): string[] {
  const found: string[] = []
  for (let next: string | undefined = id; next !== undefined; next = known.get(next)?.parentID)
    found.push(next)
  return found
}

async function expectSame(bench: Workbench, { sessions: known }: Model): Promise<void> {
  const { sessions, storage } = bench
  const listed = await gather(sessions.list())
  expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(known.keys()))
  for (const { id, title, parentID } of listed) {
    const expected = known.get(id)
    const messages = await sessions.messages.load(id)
    const texts = messages.map(({ parts }) =>
      parts.map((part) => (part.type === "text" ? part.text : "")).join(),
    )
    expect({ title, parentID, texts }).toEqual(expected)
    const streamed = await gather(sessions.messages.stream(id))
    expect(streamed.reverse()).toEqual(messages)
  }
  const count = [...known.values()].reduce((sum, { texts }) => sum + texts.length, 0)
  expect((await storage.list(["message"])).length).toBe(count)
  expect((await storage.list(["part"])).length).toBe(count)
}

import type { Part } from "../model/part.js"
import type { Session } from "../model/session.js"
import type { UserMessage } from "../model/user-message.js"
import { isDefaultTitle } from "../session/default-title.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import type { ModelMessage } from "../session/model-message.js"
import { toModelMessages } from "../session/model-messages.js"
import { SessionError } from "../session/session-error.js"
import { orAborted } from "./abort.js"
import { createRequest } from "./create-request.js"
import { agentPrompt, type EngineContext } from "./engine-options.js"
import type { Model } from "./model.js"
import { TITLE_REQUEST } from "./prompt/title-prompt.js"
import { readEvents } from "./read-events.js"

const LONGEST_TITLE = 100

/** Whoever closes an engine waits for its titles, but not for ever. */
const TIME_LIMIT = 30_000

/** What a title is for. */
export interface Untitled {
  readonly session: Session
  readonly question: MessageWithParts & { readonly info: UserMessage }
  /** The session takes the title of its first question, unless it has one. */
  readonly isFirst: boolean
}

/** The last question, if it or its session waits for a title. */
export function findUntitled(session: Session, history: readonly MessageWithParts[]): Untitled | undefined {
  const questions = history.filter(isReal)
  const question = questions.at(-1)
  if (question === undefined) return undefined
  const isFirst = questions.length === 1 && session.parentID === undefined && isDefaultTitle(session.title)
  return isFirst || isUntitled(question) ? { session, question, isFirst } : undefined
}

/** Has the small model make a title. A request that fails leaves the question, and its session, without one. */
export async function giveTitle(
  context: EngineContext,
  { session, question, isFirst }: Untitled,
): Promise<void> {
  const title = await makeTitle(context, question)
  if (title === undefined) return
  if (isFirst) await nameSession(context, session.id, title)
  if (isUntitled(question)) await nameQuestion(context, question.info, title)
}

async function makeTitle(
  context: EngineContext,
  question: Untitled["question"],
): Promise<string | undefined> {
  const controller = new AbortController()
  const { signal } = controller
  const cancelTimer = context.timer(() => controller.abort(), TIME_LIMIT)
  let text = ""
  try {
    const { driver, request } = await orAborted(prepare(context, question), signal)
    await readEvents(driver.stream({ ...request, signal }), signal, (event) => {
      if (event.type === "text-delta") text += event.text
      return undefined
    })
  } catch {
    // Whatever is wrong with the provider shows in the answer, which matters more.
    return undefined
  } finally {
    cancelTimer()
  }
  return cleanTitle(text)
}

async function prepare(context: EngineContext, question: Untitled["question"]) {
  const agent = context.agents.get("title")
  const { small, default: standard } = context.models
  const { info } = question
  const { model, driver } = await context.models.get(agent.model ?? small ?? info.model ?? standard)
  const request = await createRequest(context, {
    sessionID: info.sessionID,
    agent,
    model,
    system: await agentPrompt({ agent }),
    messages: [{ role: "user", content: [{ type: "text", text: TITLE_REQUEST }] }, ...asked(question, model)],
    tools: [],
  })
  return { driver, request }
}

async function nameSession({ sessions }: EngineContext, sessionID: string, title: string): Promise<void> {
  const change = (draft: Session) => {
    // Somebody may have named it meanwhile.
    if (isDefaultTitle(draft.title)) draft.title = title
  }
  await sessions.update(sessionID, change, { touch: false })
}

async function nameQuestion(
  { sessions }: EngineContext,
  question: UserMessage,
  title: string,
): Promise<void> {
  try {
    await sessions.messages.update<UserMessage>(question, (draft) => {
      draft.summary = { ...draft.summary, title, diffs: draft.summary?.diffs ?? [] }
    })
  } catch (error) {
    // It may have been taken back meanwhile.
    if (!SessionError.is(error, "NOT_FOUND")) throw error
  }
}

function isReal(message: MessageWithParts): message is Untitled["question"] {
  return message.info.role === "user" && !message.parts.every(isSynthetic)
}

function isUntitled({ info, parts }: Untitled["question"]): boolean {
  return info.summary?.title === undefined && parts.some((part) => part.type === "text" && !part.synthetic)
}

function isSynthetic(part: Part): boolean {
  return part.type === "text" && part.synthetic === true
}

// Of subtasks a model is only told that there were some.
function asked(question: Untitled["question"], model: Model): ModelMessage[] {
  const subtasks = question.parts.filter((part) => part.type === "subtask")
  if (subtasks.length === 0) return toModelMessages([question], { model })
  const text = subtasks.map(({ prompt }) => prompt).join("\n")
  return [{ role: "user", content: [{ type: "text", text }] }]
}

/** The first line that says something, without the thoughts that some models write into their answers. */
function cleanTitle(text: string): string | undefined {
  const lines = text.replaceAll(/<think>.*?<\/think>\s*/gs, "").split("\n")
  const title = lines.map((line) => line.trim()).find((line) => line !== "")
  if (title === undefined || title.length <= LONGEST_TITLE) return title
  return `${title.slice(0, LONGEST_TITLE - 3)}...`
}

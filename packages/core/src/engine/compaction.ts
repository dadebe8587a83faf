import type { AssistantMessage } from "../model/assistant-message.js"
import type { ModelReference } from "../model/model-reference.js"
import type { Session } from "../model/session.js"
import type { CompactionPart } from "../model/step-part.js"
import type { UserMessage } from "../model/user-message.js"
import { toModelMessages } from "../session/model-messages.js"
import { orAborted } from "./abort.js"
import { addAnswer } from "./add-answer.js"
import { addQuestion, askAgain, referenceTo } from "./add-question.js"
import type { Agent } from "./agent.js"
import { type AnswerOutcome, answer, type RunHandle } from "./answer.js"
import type { Conversation } from "./conversation.js"
import { createRequest } from "./create-request.js"
import { agentPrompt, type EngineContext } from "./engine-options.js"
import { newestTime } from "./message-time.js"
import { COMPACTION_REQUEST, CONTINUATION_REQUEST } from "./prompt/compaction-prompt.js"
import { agentRights, NO_CALLERS } from "./rights.js"
import { ToolCaller } from "./tool-caller.js"

/** Asks for a summary in the name of the user; the agent and the model are those who were asked last. */
export async function requestCompaction(
  context: EngineContext,
  sessionID: string,
  { model, auto }: { readonly model?: ModelReference | undefined; readonly auto: boolean },
): Promise<UserMessage> {
  const { agents, models } = context
  const { info } = await addQuestion(context, sessionID, (latest) => {
    const { agent = agents.default.name } = latest
    const tools = latest.tools && { tools: latest.tools }
    const fields = { agent, model: referenceTo(model ?? latest.model ?? models.default), ...tools }
    return { fields, parts: [{ type: "compaction", auto }] }
  })
  return info as UserMessage
}

/** The question that asks for a summary, and the conversation that it is about. */
export interface SummaryInput {
  readonly session: Session
  readonly conversation: Conversation
  readonly question: UserMessage
  readonly part: CompactionPart
  readonly run: RunHandle
}

/** Has a conversation summed up. From then on models are shown nothing that is older. */
export async function sumUp(context: EngineContext, input: SummaryInput): Promise<AnswerOutcome> {
  const { session, conversation, question, part, run } = input
  const { history } = conversation
  const agent = context.agents.get("compaction")
  // A model or a plugin that hangs must not keep a run from being cancelled.
  const { model, request } = await orAborted(prepare(context, agent, input), run.signal)
  const message = await addAnswer(context, {
    session,
    parentID: question.id,
    agent: agent.name,
    model: model.model,
    newest: newestTime(history),
    isSummary: true,
  })
  const caller = new ToolCaller(context, {
    agent: agent.name,
    rights: agentRights(context, agent, session, NO_CALLERS),
    tools: [],
    calls: [],
  })
  await answer(context, { message, model, request, caller, run })
  const { error } = (await context.sessions.messages.get(message)) as AssistantMessage
  if (error !== undefined) return "stop"
  context.publish("session.compacted", { sessionID: session.id })
  if (part.auto) await askToContinue(context, question)
  return "continue"
}

async function prepare(context: EngineContext, agent: Agent, input: SummaryInput) {
  const { session, conversation, question } = input
  const model = await context.models.get(agent.model ?? question.model ?? context.models.default)
  const text = await requestText(context, session.id)
  const request = await createRequest(context, {
    sessionID: session.id,
    agent,
    model: model.model,
    system: await agentPrompt({ agent }),
    messages: [
      ...toModelMessages(conversation.history, { model: model.model }),
      { role: "user", content: [{ type: "text", text }] },
    ],
    tools: [],
  })
  return { model, request }
}

async function requestText({ plugins }: EngineContext, sessionID: string): Promise<string> {
  const hooked: { context: string[]; prompt?: string } = { context: [] }
  const { context, prompt } = await plugins.trigger("experimental.session.compacting", { sessionID }, hooked)
  return prompt ?? [COMPACTION_REQUEST, ...context].join("\n\n")
}

async function askToContinue(context: EngineContext, question: UserMessage): Promise<void> {
  const now = context.clock()
  const time = { start: now, end: now }
  await askAgain(context, question, { type: "text", text: CONTINUATION_REQUEST, synthetic: true, time })
}

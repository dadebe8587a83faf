import type { Session } from "../model/session.js"
import type { UserMessage } from "../model/user-message.js"
import { orAborted } from "./abort.js"
import { addAnswer } from "./add-answer.js"
import type { Agent } from "./agent.js"
import { type AnswerOutcome, answer, concludeAborted, type RunHandle } from "./answer.js"
import type { Conversation } from "./conversation.js"
import { createRequest } from "./create-request.js"
import { callsOfTurn } from "./doom-loop.js"
import type { EngineContext } from "./engine-options.js"
import { newestTime } from "./message-time.js"
import type { Model } from "./model.js"
import { agentRights, type CallerLimits, type Rights } from "./rights.js"
import { shownMessages } from "./shown-messages.js"
import { createTaskTool, TASK } from "./task-tool.js"
import type { Tool } from "./tool.js"
import { ToolCaller } from "./tool-caller.js"
import { offeredTools, toolDefinitions } from "./tool-definitions.js"

/** A step that is to be taken. */
export interface StepInput {
  readonly session: Session
  readonly conversation: Conversation
  /** How many were taken since something was asked. */
  readonly step: number
  /** Whether the run has taken any. */
  readonly isUnderWay: boolean
  readonly callers: CallerLimits
  readonly run: RunHandle
}

/** Lets the model of the last user message say and do the next thing. */
export async function takeStep(context: EngineContext, input: StepInput): Promise<AnswerOutcome> {
  const { session, conversation, run } = input
  const { history, lastQuestion } = conversation
  const agent = context.agents.get(lastQuestion.agent ?? context.agents.default.name)
  const fields = { session, parentID: lastQuestion.id, agent: agent.name, newest: newestTime(history) }
  const prepared = await orCancelled(prepare(context, agent, input), run.signal)
  if (prepared === undefined) {
    const model = lastQuestion.model ?? context.models.default
    return concludeAborted(context, await addAnswer(context, { ...fields, model }), run)
  }
  const { model, request, caller, isLastStep } = prepared
  const message = await addAnswer(context, { ...fields, model: model.model })
  const outcome = await answer(context, { message, model, request, caller, run })
  return isLastStep ? "stop" : outcome
}

// Models, prompts and plugins come from elsewhere: one that hangs must not keep a run from being cancelled.
async function orCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await orAborted(work, signal)
  } catch (error) {
    if (signal.aborted && error === signal.reason) return undefined
    throw error
  }
}

async function prepare(context: EngineContext, agent: Agent, input: StepInput) {
  const { session, conversation, step, isUnderWay, callers } = input
  const { history, lastQuestion } = conversation
  const model = await context.models.get(lastQuestion.model ?? context.models.default)
  const isLastStep = agent.steps !== undefined && step + 1 >= agent.steps
  const rights = agentRights(context, agent, session, callers)
  const all = withTaskTool(context, { conversation, rights, model: model.model })
  const tools = offeredTools(all, rights, lastQuestion.tools)
  const shown = { session, agent, model: model.model, conversation, isUnderWay, isLastStep }
  const request = await createRequest(context, {
    sessionID: session.id,
    agent,
    model: model.model,
    system: await systemLayers(context, { agent, model: model.model, session, question: lastQuestion }),
    messages: await shownMessages(context, shown),
    tools: toolDefinitions(tools),
  })
  const calls = callsOfTurn(history, lastQuestion.id)
  const caller = new ToolCaller(context, { agent: agent.name, rights, tools, calls })
  return { model, request, caller, isLastStep }
}

async function systemLayers(
  { systemPrompt }: EngineContext,
  { question, ...context }: { agent: Agent; model: Model; session: Session; question: UserMessage },
): Promise<string[]> {
  const layers = await systemPrompt(context)
  return question.system === undefined ? [...layers] : [...layers, question.system]
}

function withTaskTool(
  context: EngineContext,
  { conversation, rights, model }: { conversation: Conversation; rights: Rights; model: Model },
): readonly Tool[] {
  if (context.tools.some(({ name }) => name === TASK)) return context.tools
  const { history, lastQuestion } = conversation
  const parts = history.find(({ info }) => info.id === lastQuestion.id)?.parts ?? []
  const invited = parts.filter((part) => part.type === "agent").map(({ name }) => name)
  const tool = createTaskTool(context, { rights, invited, model })
  return tool === undefined ? context.tools : [...context.tools, tool]
}

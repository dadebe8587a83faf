import type { AssistantMessage } from "../model/assistant-message.js"
import type { SubtaskPart, ToolPart } from "../model/content-part.js"
import type { Session } from "../model/session.js"
import type { UserMessage } from "../model/user-message.js"
import { addAnswer } from "./add-answer.js"
import { askAgain } from "./add-question.js"
import type { RunHandle } from "./answer.js"
import type { Conversation } from "./conversation.js"
import type { EngineContext } from "./engine-options.js"
import { newestTime } from "./message-time.js"
import { agentRights, type CallerLimits } from "./rights.js"
import { createTaskTool, TASK } from "./task-tool.js"
import { type RunningToolPart, ToolCaller } from "./tool-caller.js"

/** The question that asks for a subtask, and its conversation. */
export interface SubtaskInput {
  readonly session: Session
  readonly conversation: Conversation
  readonly question: UserMessage
  readonly part: SubtaskPart
  readonly callers: CallerLimits
  readonly run: RunHandle
}

const AFTER_COMMAND = "Say what the task above gave, and go on with your work."

/** Has a subtask of the user done, as if a model had called the tool for it. */
export async function doSubtask(context: EngineContext, input: SubtaskInput): Promise<void> {
  const { session, conversation, question, part, callers, run } = input
  const { sessions, clock } = context
  const agent = context.agents.get(part.agent)
  const model = part.model ?? question.model ?? context.models.default
  const message = await addAnswer(context, {
    session,
    parentID: question.id,
    agent: agent.name,
    model,
    newest: newestTime(conversation.history),
  })
  const { prompt, description, command } = part
  const call = { description, prompt, subagent_type: agent.name, ...(command !== undefined && { command }) }
  const state = { status: "running", input: call, time: { start: clock() } } as const
  const running = await sessions.parts.add(message, { type: "tool", callID: part.id, tool: TASK, state })
  const rights = agentRights(context, agent, session, callers)
  const tool = createTaskTool(context, { rights, invited: [agent.name], model })
  const tools = tool === undefined ? [] : [tool]
  const caller = new ToolCaller(context, { agent: agent.name, rights, tools, calls: [] })
  const outcome = await caller.call(running as RunningToolPart, call, run.signal)
  await sessions.parts.update<ToolPart>(running, (draft) => {
    draft.state = outcome.state
  })
  const answer = await sessions.messages.update<AssistantMessage>(message, (draft) => {
    draft.finish = "tool-calls"
    draft.time.completed = Math.max(draft.time.created, clock())
  })
  run.noteAnswer(answer, { hasChangedFiles: false })
  if (command === undefined) return
  // Some models refuse a conversation that goes on without a word of the user after a command.
  await askAgain(context, question, { type: "text", text: AFTER_COMMAND, synthetic: true })
}

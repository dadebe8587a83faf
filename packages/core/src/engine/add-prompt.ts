import type { Part } from "../model/part.js"
import type { UserMessage } from "../model/user-message.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import type { PartFields } from "../session/parts.js"
import { addQuestion, type Latest, type Question, referenceTo } from "./add-question.js"
import type { Agent } from "./agent.js"
import { attachFile } from "./attached-file.js"
import type { EngineContext } from "./engine-options.js"
import type { PromptInput, PromptPart } from "./prompt-input.js"
import { TASK } from "./task-tool.js"

/** Stores a question at the end of a session, once plugins have seen it. */
export async function addPrompt(
  context: EngineContext,
  sessionID: string,
  input: PromptInput,
): Promise<MessageWithParts> {
  const { sessions, agents } = context
  const agent = input.agent === undefined ? agents.default : agents.get(input.agent)
  await sessions.cleanUp(sessionID)
  const parts = (await Promise.all(input.parts.map((part) => resolvePart(context, part)))).flat()
  const added = await addQuestion(context, sessionID, (latest) => {
    return composePrompt(context, sessionID, { input, agent, parts, latest })
  })
  await sessions.touch(sessionID)
  return added
}

interface PromptDraft {
  readonly input: PromptInput
  readonly agent: Agent
  readonly parts: readonly PromptPart[]
  readonly latest: Latest
}

async function composePrompt(
  { models, plugins, identifiers, clock }: EngineContext,
  sessionID: string,
  { input, agent, parts, latest }: PromptDraft,
): Promise<Question> {
  const id = input.messageID ?? identifiers.ascending("message")
  const message: UserMessage = {
    id,
    sessionID,
    role: "user",
    time: { created: clock() },
    agent: agent.name,
    model: referenceTo(input.model ?? agent.model ?? latest.model ?? models.default),
    ...(input.system !== undefined && { system: input.system }),
    ...(input.tools !== undefined && { tools: { ...input.tools } }),
    ...(input.variant !== undefined && { variant: input.variant }),
  }
  const drafts = parts.map((part) => {
    return { ...part, id: part.id ?? identifiers.ascending("part"), sessionID, messageID: id } as Part
  })
  const hooked = await plugins.trigger("chat.message", { sessionID }, { message, parts: drafts })
  return { fields: hooked.message as Question["fields"], parts: hooked.parts as PartFields[] }
}

async function resolvePart({ agents }: EngineContext, part: PromptPart): Promise<PromptPart[]> {
  if (part.type === "file") return attachFile(part)
  if (part.type === "subtask") agents.get(part.agent)
  if (part.type !== "agent") return [part]
  const { name } = agents.get(part.name)
  const hint = `The user wants the agent ${name} to do this: call the tool ${TASK} with it, and tell it all it needs.`
  return [part, { type: "text", text: hint, synthetic: true }]
}

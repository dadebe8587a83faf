import { z } from "zod"
import { errorDetails } from "../model/message-error.js"
import type { ModelReference } from "../model/model-reference.js"
import type { Session } from "../model/session.js"
import { evaluatePermission } from "../permission/evaluate-permission.js"
import { subagentRestrictions } from "../permission/subagent-restrictions.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import type { Agent } from "./agent.js"
import type { EngineContext } from "./engine-options.js"
import type { Rights } from "./rights.js"
import type { Tool, ToolCall } from "./tool.js"

/** The name of the tool by which agents give tasks to others. */
export const TASK = "task"

/** How many sessions may lie above that of a subagent. */
const DEEPEST = 5

const TaskInput = z.object({
  description: z.string().describe("What the task is, in three to five words"),
  prompt: z.string().describe("The task, with all that is needed to do it"),
  subagent_type: z.string().describe("The name of the agent that is to do it"),
  task_id: z.string().optional().describe("The id of an earlier task, to go on with it instead of a new one"),
  command: z.string().optional().describe("The command that gave rise to the task"),
})
type TaskInput = z.output<typeof TaskInput>

/** For whom the tool is. */
export interface TaskToolOptions {
  /** What the caller may do. */
  readonly rights: Pick<Rights, "ruleset" | "limits">
  /** Agents that the user has named, for which nobody needs to be asked. */
  readonly invited: readonly string[]
  /** The model of agents that have none of their own. */
  readonly model: ModelReference
}

/** The tool by which an agent has others do something, each in a session of its own; none without such agents. */
export function createTaskTool(context: EngineContext, options: TaskToolOptions): Tool | undefined {
  const { rights, invited } = options
  const isDenied = (name: string) =>
    [rights.ruleset, ...rights.limits].some(
      (rules) => evaluatePermission(TASK, name, rules).action === "deny",
    )
  const agents = context.agents
    .list()
    .filter(({ mode, name }) => invited.includes(name) || mode !== "primary")
    .filter(({ name }) => invited.includes(name) || !isDenied(name))
  if (agents.length === 0) return undefined
  const tool: Tool<typeof TaskInput> = {
    name: TASK,
    description: describe(agents),
    input: TaskInput,
    execute: (input, call) => giveTask(context, options, agents, input, call),
  }
  return tool
}

function describe(agents: readonly Agent[]): string {
  const lines = agents.map(
    ({ name, description }) => `- ${name}: ${description ?? "for whatever it is asked"}`,
  )
  return `Has another agent do a task by itself, and gives back what it says in the end. It knows nothing of this
conversation: tell it all that it needs, and what to report. Give tasks that do not depend on each other in one go.

The agents:
${lines.join("\n")}`
}

async function giveTask(
  context: EngineContext,
  { invited, model }: TaskToolOptions,
  agents: readonly Agent[],
  input: TaskInput,
  call: ToolCall,
) {
  const { engine } = context
  const { description, prompt, subagent_type } = input
  const agent = agents.find(({ name }) => name === subagent_type)
  if (agent === undefined) {
    const names = agents.map(({ name }) => name).join(", ")
    throw new Error(`There is no agent ${subagent_type} for tasks; there are ${names}`)
  }
  if (!invited.includes(agent.name)) {
    const metadata = { description, subagent_type }
    await call.ask({ permission: TASK, patterns: [agent.name], metadata })
  }
  const restrictions = subagentRestrictions(agent.permission)
  const child = await (input.task_id === undefined
    ? beginTask(context, call, `${description} (@${agent.name} subagent)`, restrictions)
    : findTask(context, call, input.task_id))
  const { providerID, modelID } = agent.model ?? model
  const metadata = { sessionId: child.id, model: { modelID, providerID } }
  await call.report({ title: description, metadata })
  const cancel = () => engine.cancel(child.id)
  call.signal.addEventListener("abort", cancel)
  try {
    call.signal.throwIfAborted()
    const answer = await engine.prompt(child.id, {
      parts: [{ type: "text", text: prompt }],
      agent: agent.name,
      model: { providerID, modelID },
      tools: Object.fromEntries(restrictions.map(({ permission }) => [permission, false])),
    })
    return { title: description, output: report(child, answer), metadata }
  } finally {
    call.signal.removeEventListener("abort", cancel)
  }
}

function report({ id }: Session, { info, parts }: MessageWithParts): string {
  if (info.role === "assistant" && info.error !== undefined) {
    const { name, message = name } = errorDetails(info.error)
    throw new Error(`The task ${id} failed: ${message}`)
  }
  const text = parts.findLast((part) => part.type === "text")?.text ?? ""
  return `task_id: ${id} (to go on with this task)\n\n<task_result>\n${text}\n</task_result>`
}

async function beginTask(
  { sessions }: EngineContext,
  call: ToolCall,
  title: string,
  permission: ReturnType<typeof subagentRestrictions>,
): Promise<Session> {
  let { parentID } = await sessions.get(call.sessionID)
  for (let depth = 1; parentID !== undefined; depth++) {
    if (depth === DEEPEST)
      throw new Error(`Tasks are passed on ${DEEPEST} times at most: do this one yourself`)
    parentID = (await sessions.get(parentID)).parentID
  }
  return sessions.create({ parentID: call.sessionID, title, permission })
}

async function findTask({ sessions }: EngineContext, call: ToolCall, sessionID: string): Promise<Session> {
  const session = await sessions.get(sessionID)
  if (session.parentID !== call.sessionID) throw new Error(`${sessionID} is no task that was given here`)
  return session
}

import { dirname } from "node:path"
import type { Part } from "../model/part.js"
import type { PermissionRuleset } from "../model/permission.js"
import type { Session } from "../model/session.js"
import type { UserMessage } from "../model/user-message.js"
import { rulesFromConfig, rulesFromTools } from "../permission/permission-config.js"
import { SessionError } from "../session/session-error.js"
import type { Agent } from "./agent.js"
import { EngineError } from "./engine-error.js"
import type { EngineContext } from "./engine-options.js"

/** What may be done in the name of an agent. */
export interface Rights {
  readonly ruleset: PermissionRuleset
  /** What one of these does not allow, `ruleset` cannot allow. */
  readonly limits: readonly PermissionRuleset[]
  /** Names of tools that are not offered. */
  readonly switchedOff: readonly string[]
  /** Where relative paths in patterns begin. */
  readonly folder: string
}

/** What the callers of a session leave to it. */
export type CallerLimits = Pick<Rights, "limits" | "switchedOff">

/** No agent has called: a person asks. */
export const NO_CALLERS: CallerLimits = { limits: [], switchedOff: [] }

/** The rights of an agent in a session whose callers are known. */
export function agentRights(
  { worktree }: Pick<EngineContext, "worktree">,
  agent: Pick<Agent, "permission" | "limits">,
  session: Session,
  { limits, switchedOff }: CallerLimits,
): Rights {
  // Outside of repositories the worktree is the root of the file system.
  const isRoot = dirname(worktree) === worktree
  return {
    ruleset: [...agent.permission, ...(session.permission ?? [])],
    limits: [...(agent.limits ?? []), ...limits],
    switchedOff,
    folder: isRoot ? (session.directory ?? worktree) : worktree,
  }
}

/**
 * What the agents leave to a session that gave the task to it, directly or through others: a subagent never has more
 * rights than its caller. They are read from the calls that are stored in the sessions above, so that they also hold
 * after a crash.
 */
export async function callerLimits(context: EngineContext, session: Session): Promise<CallerLimits> {
  const limits: PermissionRuleset[] = []
  const switchedOff: string[] = []
  const seen = new Set([session.id])
  for (let child = session; child.parentID !== undefined && !seen.has(child.parentID); ) {
    const parent = await findSession(context, child.parentID)
    if (parent === undefined) break
    const question = await findCaller(context, parent.id, child.id)
    if (question !== undefined) {
      const off = Object.keys(question.tools ?? {}).filter((name) => question.tools?.[name] === false)
      const agent = findAgent(context, question)
      const switches = rulesFromTools(Object.fromEntries(off.map((name) => [name, false])))
      limits.push([...agent.permission, ...(parent.permission ?? []), ...switches], ...(agent.limits ?? []))
      switchedOff.push(...off)
    }
    seen.add(parent.id)
    child = parent
  }
  return { limits, switchedOff }
}

async function findSession({ sessions }: EngineContext, sessionID: string): Promise<Session | undefined> {
  try {
    return await sessions.get(sessionID)
  } catch (error) {
    // Nobody is left who could have called.
    if (SessionError.is(error, "NOT_FOUND")) return undefined
    throw error
  }
}

/** The user message whose agent called last for the child. */
async function findCaller(
  { sessions }: EngineContext,
  parentID: string,
  childID: string,
): Promise<UserMessage | undefined> {
  let questionID: string | undefined
  for await (const { info, parts } of sessions.messages.stream(parentID)) {
    if (questionID === undefined && info.role === "assistant") {
      if (parts.some((part) => taskSession(part) === childID)) questionID = info.parentID
    }
    if (info.id === questionID) return info as UserMessage
  }
  return undefined
}

/** The session in which the task of a call is done. */
function taskSession(part: Part): unknown {
  if (part.type !== "tool" || part.state.status === "pending") return undefined
  return part.state.metadata?.sessionId
}

function findAgent(
  { agents }: EngineContext,
  { agent: name }: UserMessage,
): Pick<Agent, "permission" | "limits"> {
  if (name === undefined) return agents.default
  try {
    return agents.get(name)
  } catch (error) {
    if (!EngineError.is(error, "NOT_FOUND")) throw error
    // What an agent was allowed that is gone, nobody knows.
    return { permission: rulesFromConfig("deny") }
  }
}

import type { MessageWithParts } from "../../session/message-with-parts.js"

/** What decides whether a model is reminded of plans. */
export interface PlanReminderOptions {
  /** The conversation, oldest first; its last question is the one to be answered. */
  readonly messages: readonly MessageWithParts[]
  /** The name of the agent that answers. */
  readonly agent: string
  /** The file for the plan of the session, see `Sessions.planPath`. */
  readonly plan?: { readonly path: string; readonly exists: boolean } | undefined
}

/** The name of the agent that plans. */
const PLAN = "plan"

/**
 * What goes along with the last question when plans are made or carried out; `undefined` when they are not. The agent
 * `plan` is told how to plan. An agent that takes over from it is told that it may change files again, and to carry
 * out the plan if there is one. It stays the same for all steps that answer the question.
 */
export function planReminder({ messages, agent, plan }: PlanReminderOptions): string | undefined {
  if (agent === PLAN) return remind(planning(plan))
  return previousAgent(messages) === PLAN ? remind(building(plan)) : undefined
}

function planning(plan: PlanReminderOptions["plan"]): string {
  return `You are planning. Do not change anything yet, whatever you were told before: edit no files, run no commands
that change something, alter no settings, commit nothing. ${planFile(plan)}

How to get to a plan:
1. Understand what is wanted. Read the code that it touches; let subagents look into separate questions side by side.
2. Weigh the ways to do it, and ask the user where it depends on what they prefer.
3. Check what you intend against the code once more.
4. Write the plan: what to change in which files and in which order, and how to tell that it works. Short enough to
   read at a glance, precise enough to work from.

End by asking a question or by presenting the plan, and wait.`
}

function planFile(plan: PlanReminderOptions["plan"]): string {
  if (plan === undefined) return "Present the plan in your answer."
  const only = "this is the only file that you may change"
  if (plan.exists) return `There is a plan in ${plan.path}: read it, and improve it where needed; ${only}.`
  return `Write the plan to ${plan.path}; ${only}.`
}

function building(plan: PlanReminderOptions["plan"]): string {
  const released = "Planning is over: you may change files, run commands and use all your tools again."
  return plan?.exists ? `${released} There is a plan in ${plan.path}: read it, and carry it out.` : released
}

function previousAgent(messages: readonly MessageWithParts[]): string | undefined {
  const question = messages.findLastIndex(({ info }) => info.role === "user")
  const previous = messages
    .slice(0, Math.max(question, 0))
    .findLast(({ info }) => info.role === "assistant")?.info
  return previous?.role === "assistant" ? (previous.agent ?? previous.mode) : undefined
}

function remind(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`
}

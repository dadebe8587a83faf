import type { NewPermissionRule } from "../../model/permission.js"
import { rulesFromConfig } from "../../permission/permission-config.js"
import { escapePattern } from "../../permission/wildcard.js"
import type { Agent } from "../agent.js"
import { COMPACTION_PROMPT } from "../prompt/compaction-prompt.js"
import { TITLE_PROMPT } from "../prompt/title-prompt.js"

/** What the built-in agents go by. */
export interface BuiltInAgentsOptions {
  /** The rules of the user, after those of each agent; `compaction` and `title` have no use for them. */
  readonly rules?: readonly NewPermissionRule[] | undefined
  /** Where plans are kept outside of repositories. */
  readonly plansFolder?: string | undefined
}

/**
 * The agents that are there from the start:
 *
 * | name | |
 * |---|---|
 * | `build` | works, within what the rules allow |
 * | `plan` | looks and thinks, but changes no file except its plans |
 * | `general` | does tasks that other agents give it |
 * | `compaction` | summarises conversations, behind the scenes |
 * | `title` | gives them titles, behind the scenes |
 */
export function builtInAgents({ rules = [], plansFolder }: BuiltInAgentsOptions = {}): Agent[] {
  return [
    {
      name: "build",
      description: "Works on what you ask for, with all tools that the rules allow",
      mode: "primary",
      permission: [...defaultRules, ...rulesFromConfig({ question: "allow", plan_enter: "allow" }), ...rules],
    },
    {
      name: "plan",
      description: "Looks around and makes a plan; changes no files",
      mode: "primary",
      permission: [...defaultRules, ...planRules(plansFolder), ...rules],
    },
    {
      name: "general",
      description:
        "Looks into difficult questions and does tasks of several steps. Several can work side by side, each on a " +
        "task of its own.",
      mode: "subagent",
      permission: [...defaultRules, ...rulesFromConfig({ todoread: "deny", todowrite: "deny" }), ...rules],
    },
    { name: "compaction", mode: "primary", hidden: true, prompt: COMPACTION_PROMPT, permission: nothing },
    {
      name: "title",
      mode: "primary",
      hidden: true,
      prompt: TITLE_PROMPT,
      temperature: 0.5,
      permission: nothing,
    },
  ]
}

/** What every agent may do unless something else is said. */
export const defaultRules: readonly NewPermissionRule[] = rulesFromConfig({
  "*": "allow",
  doom_loop: "ask",
  external_directory: "ask",
  question: "deny",
  plan_enter: "deny",
  plan_exit: "deny",
  // Such files hold secrets, except for those that show how to write one.
  read: { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" },
})

const nothing = rulesFromConfig("deny")

// Tools speak of a file by its path from the worktree, or by its absolute path.
function planRules(plansFolder: string | undefined): NewPermissionRule[] {
  const rules = rulesFromConfig({
    question: "allow",
    plan_exit: "allow",
    edit: { "*": "deny", ".opencode/plans/*.md": "allow", "*/.opencode/plans/*.md": "allow" },
  })
  if (plansFolder === undefined) return rules
  const folder = escapePattern(plansFolder.replace(/[\\/]$/, ""))
  const plans = rulesFromConfig({
    external_directory: { [`${folder}/*`]: "allow" },
    edit: { [`${folder}/*.md`]: "allow" },
  })
  return [...rules, ...plans]
}

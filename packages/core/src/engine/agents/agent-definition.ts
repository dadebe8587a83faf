import { z } from "zod"
import { PermissionConfig, rulesFromConfig, rulesFromTools } from "../../permission/permission-config.js"
import type { Agent } from "../agent.js"
import { ModelName } from "../config/model-name.js"

/** What a definition states of an agent; the rest stays as it was. */
export interface AgentDefinition extends Partial<Omit<Agent, "name">> {
  /** Takes the agent away. */
  readonly disable?: boolean | undefined
}

/**
 * An agent as people define or alter it, in configuration or in the front matter of `agent/*.md`. Fields beyond these
 * are options for its model.
 *
 * @example
 * ```ts
 * const reviewer = AgentDefinition.parse({ mode: "subagent", permission: { edit: "deny" }, reasoningEffort: "high" })
 * ```
 */
export const AgentDefinition = z
  .looseObject({
    description: z.string().optional(),
    mode: z.enum(["primary", "subagent", "all"]).optional(),
    /** Takes the place of the provider's prompt; in `agent/*.md` it is the text. */
    prompt: z.string().optional(),
    model: ModelName.optional(),
    temperature: z.number().optional(),
    top_p: z.number().optional(),
    steps: z.int().positive().optional(),
    /** The old name of `steps`. */
    maxSteps: z.int().positive().optional(),
    permission: PermissionConfig.default({}),
    /** Tools switched on and off: the old way to state permissions. */
    tools: z.record(z.string(), z.boolean()).default({}),
    hidden: z.boolean().optional(),
    disable: z.boolean().optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    /** For whoever shows agents to people. */
    name: z.string().optional(),
    color: z.string().optional(),
    variant: z.string().optional(),
  })
  .transform((fields): AgentDefinition => {
    const { description, mode, prompt, model, temperature, top_p: topP, steps, maxSteps, ...others } = fields
    const { permission, tools, hidden, disable, options, name, color, variant, ...further } = others
    return {
      description,
      mode,
      prompt,
      model,
      temperature,
      topP,
      steps: steps ?? maxSteps,
      hidden,
      disable,
      permission: [...rulesFromTools(tools), ...rulesFromConfig(permission)],
      options: { ...further, ...options },
    }
  })

import { z } from "zod"
import type { PermissionRuleset } from "../../model/permission.js"
import { PermissionConfig, rulesFromConfig, rulesFromTools } from "../../permission/permission-config.js"
import { AgentDefinition } from "../agents/agent-definition.js"
import { ModelName } from "./model-name.js"

/**
 * What people set in `opencode.json` or `opencode.jsonc`, as far as the engine has to do with it. Other settings of
 * opencode are kept as they are. `limits` are rules of folders that the user does not trust: what one of them does not
 * allow, `permission` cannot allow.
 */
export const Configuration = z
  .looseObject({
    model: ModelName.optional(),
    /** The model for titles. */
    small_model: ModelName.optional(),
    default_agent: z.string().optional(),
    agent: z.record(z.string(), AgentDefinition).default({}),
    permission: PermissionConfig.default({}),
    /** Tools switched on and off: the old way to state permissions. */
    tools: z.record(z.string(), z.boolean()).default({}),
    /** Files with instructions for every model, by path or wildcards. */
    instructions: z.array(z.string()).default([]),
    compaction: z
      .looseObject({
        /** Whether a conversation that outgrows its model is summarised; it is when not given. */
        auto: z.boolean().optional(),
        /** Whether old outputs of tools are cleared; they are when not given. */
        prune: z.boolean().optional(),
      })
      .optional(),
    plugin: z.array(z.string()).default([]),
    share: z.enum(["manual", "auto", "disabled"]).optional(),
    snapshot: z.boolean().optional(),
  })
  .transform(({ permission, tools, ...settings }) => {
    const limits: PermissionRuleset[] = []
    return { ...settings, permission: [...rulesFromTools(tools), ...rulesFromConfig(permission)], limits }
  })
export type Configuration = z.output<typeof Configuration>

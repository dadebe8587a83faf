import { z } from "zod"
import type { PermissionRuleset } from "../model/permission.js"
import type { JsonObject } from "../model/primitives.js"
import type { UserMessage } from "../model/user-message.js"
import { hiddenTools } from "../permission/hidden-tools.js"
import type { ToolDefinition } from "./model-driver.js"
import type { Tool } from "./tool.js"

/** The tools that a model may know of: neither hidden by rules, nor switched off in the question. */
export function offeredTools(
  tools: readonly Tool[],
  ruleset: PermissionRuleset,
  switches: UserMessage["tools"] = {},
): Tool[] {
  const hidden = hiddenTools(tools, ruleset)
  return tools.filter(({ name }) => !hidden.has(name) && switches[name] !== false)
}

/** Tools as a model is told of them. */
export function toolDefinitions(tools: readonly Tool[]): ToolDefinition[] {
  return tools.map(({ name, description, input }) => ({ name, description, inputSchema: schemaOf(input) }))
}

const schemas = new WeakMap<z.ZodType, JsonObject>()

// A tool is told of with every request.
function schemaOf(input: z.ZodType): JsonObject {
  const known = schemas.get(input)
  if (known !== undefined) return known
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as JsonObject
  schemas.set(input, schema)
  return schema
}

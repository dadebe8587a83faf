import { z } from "zod"
import type { JsonObject } from "../model/primitives.js"
import type { UserMessage } from "../model/user-message.js"
import { hiddenTools } from "../permission/hidden-tools.js"
import type { ToolDefinition } from "./model-driver.js"
import type { Rights } from "./rights.js"
import type { Tool } from "./tool.js"

/** The tools that a model may know of: neither hidden by rules, nor switched off by the user message or a caller. */
export function offeredTools(
  tools: readonly Tool[],
  { ruleset, limits, switchedOff }: Pick<Rights, "ruleset" | "limits" | "switchedOff">,
  switches: UserMessage["tools"] = {},
): Tool[] {
  const hidden = [ruleset, ...limits].map((rules) => hiddenTools(tools, rules))
  return tools.filter(({ name }) => {
    const isHidden = hidden.some((names) => names.has(name)) || switchedOff.includes(name)
    return !isHidden && switches[name] !== false
  })
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

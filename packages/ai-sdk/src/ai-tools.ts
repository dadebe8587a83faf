import type { ToolDefinition } from "@sessile/core/engine"
import { jsonSchema, type ToolSet, tool } from "ai"

/** Tools that the AI SDK tells the model of, and neither runs nor checks the input of: both are for the engine. */
export function toAiTools(tools: readonly ToolDefinition[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  )
}

import type { z } from "zod"
import type { JsonObject } from "../model/primitives.js"
import type { PermissionQuestion } from "../permission/permission-ask.js"

/**
 * Something that a model can do. `execute` may reject: the model is told the message of the error.
 *
 * @example
 * ```ts
 * const clock = defineTool({
 *   name: "clock",
 *   description: "Tells the time",
 *   input: z.object({ zone: z.string() }),
 *   execute: async ({ zone }) => ({ title: zone, output: new Date().toLocaleString("en", { timeZone: zone }) }),
 * })
 * ```
 */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly description: string
  readonly input: Input
  /** The permission by which rules speak of this tool; its name when not given. */
  readonly permission?: string
  /** How long a call may take, in milliseconds; for ever when not given. */
  readonly timeLimit?: number
  execute(input: z.output<Input>, call: ToolCall): Promise<ToolOutput>
}

/** The tool itself; what `execute` is given gets its type from `input`. */
export function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool {
  return tool
}

/** One call of a tool. */
export interface ToolCall {
  readonly sessionID: string
  readonly messageID: string
  readonly callID: string
  /** The name of the agent that calls. */
  readonly agent: string
  readonly signal: AbortSignal
  /** Tells what is known so far, while the tool is at work. */
  report(progress: { readonly title?: string; readonly metadata?: JsonObject }): Promise<void>
  /** Resolves when it is allowed; rejects with a `PermissionError` when it is not. */
  ask(question: PermissionQuestion): Promise<void>
}

/** What a call of a tool gives. */
export interface ToolOutput {
  readonly title: string
  readonly output: string
  readonly metadata?: JsonObject
  readonly attachments?: readonly ToolAttachment[]
}

/** A file that a tool gives. */
export interface ToolAttachment {
  readonly mime: string
  readonly url: string
  readonly filename?: string
}

import { z } from "zod"
import type { ToolPart } from "../model/content-part.js"
import type { JsonObject } from "../model/primitives.js"
import { type NewToolState, newToolState } from "../model/tool-state.js"
import { PermissionError } from "../permission/permission-error.js"
import { orAborted } from "./abort.js"
import { describeThrown } from "./describe-thrown.js"
import { isDoomLoop, type RequestedCall } from "./doom-loop.js"
import type { EngineContext } from "./engine-options.js"
import { isObject } from "./is-object.js"
import type { Rights } from "./rights.js"
import { isTooDeep, toJsonObject } from "./to-json.js"
import type { Tool, ToolAttachment, ToolCall } from "./tool.js"

/** What a tool says that did not come to an end. */
export const TOOL_ABORTED = "Tool execution aborted"

/** A tool call that is being answered. */
export type RunningToolPart = ToolPart & { readonly state: { readonly time: { readonly start: number } } }

/** How a call ended. */
export interface ToolOutcome {
  readonly state: NewToolState<"completed"> | NewToolState<"error">
  /** A person said no, and nothing else: it is for them to say how to go on. */
  readonly isRefused: boolean
}

/** In whose name tools are called. */
export interface ToolCallerOptions {
  /** The name of the agent. */
  readonly agent: string
  readonly rights: Rights
  readonly tools: readonly Tool[]
  /** The calls that were made before, to answer the same question. */
  readonly calls: readonly RequestedCall[]
}

/** Does what the model of one answer wants done. */
export class ToolCaller {
  readonly #context: EngineContext
  readonly #options: ToolCallerOptions
  readonly #calls: RequestedCall[]

  constructor(context: EngineContext, options: ToolCallerOptions) {
    this.#context = context
    this.#options = options
    this.#calls = [...options.calls]
  }

  /** The name by which a tool is known here, where a model got no more than the case wrong. */
  nameOf(written: string): string {
    const names = this.#options.tools.map(({ name }) => name)
    return names.includes(written) || !names.includes(written.toLowerCase()) ? written : written.toLowerCase()
  }

  /**
   * Runs a call. It never rejects: whatever goes wrong is what the model is told. Metadata that is no JSON is made such.
   *
   * @param input what the model wrote
   * @param signal ends it, whether the tool listens or not
   */
  async call(part: RunningToolPart, input: unknown, signal: AbortSignal): Promise<ToolOutcome> {
    const { clock } = this.#context
    const call = new Call(this.#context, this.#options, part, signal)
    const fixed = { input: part.state.input ?? {} }
    const time = () => ({ start: part.state.time.start, end: clock() })
    try {
      const { attachments = [], ...result } = await orAborted(this.#execute(part, input, call), call.signal)
      const files = attachments.map((attachment) => this.#filePart(part, attachment))
      const given = files.length > 0 ? { ...result, attachments: files } : result
      // A tool may give something else than it says.
      const metadata = toJsonObject(given.metadata)
      const state = newToolState({ status: "completed", ...fixed, ...given, metadata, time: time() })
      return { state, isRefused: false }
    } catch (error) {
      const text = signal.aborted ? TOOL_ABORTED : describeThrown(error)
      const metadata = call.metadata && { metadata: call.metadata }
      const isRefused = PermissionError.is(error, "REJECTED") && error.feedback === undefined
      return { state: { status: "error", ...fixed, error: text, ...metadata, time: time() }, isRefused }
    } finally {
      call.end()
    }
  }

  async #execute(
    part: RunningToolPart,
    input: unknown,
    call: Call,
  ): Promise<{
    title: string
    output: string
    metadata: JsonObject
    attachments?: readonly ToolAttachment[] | undefined
  }> {
    const { plugins } = this.#context
    if (isTooDeep(input)) throw new Error(`The input of ${part.tool} is nested too deeply: write it anew`)
    await this.#guardAgainstLoop({ tool: part.tool, input }, call)
    const tool = this.#find(part.tool)
    if (!isObject(input)) throw new Error(`The input of ${tool.name} is not a JSON object: write it anew`)
    const known = { tool: tool.name, sessionID: part.sessionID, callID: part.callID }
    const { args } = await plugins.trigger("tool.execute.before", known, { args: input })
    const parsed = await tool.input.safeParseAsync(args)
    if (!parsed.success) {
      throw new Error(
        `The input of ${tool.name} is not valid: write it anew.\n${z.prettifyError(parsed.error)}`,
      )
    }
    // The call may have ended while others were waited for.
    call.signal.throwIfAborted()
    call.limit(tool)
    const { title, output, metadata = {}, attachments } = await tool.execute(parsed.data, call)
    const result = await plugins.trigger("tool.execute.after", known, { title, output, metadata })
    return { ...result, attachments }
  }

  #find(name: string): Tool {
    const { tools } = this.#options
    const tool = tools.find((each) => each.name === name)
    if (tool !== undefined) return tool
    throw new Error(
      `There is no tool ${name}; there are ${tools.map((each) => each.name).join(", ") || "none"}`,
    )
  }

  async #guardAgainstLoop(requested: RequestedCall, call: Call): Promise<void> {
    this.#calls.push(requested)
    if (!isDoomLoop(this.#calls)) return
    try {
      await call.ask({ permission: "doom_loop", patterns: [requested.tool], metadata: { ...requested } })
    } catch (error) {
      if (!PermissionError.is(error, "DENIED")) throw error
      // The model would go on in circles if it were only told.
      throw new PermissionError("REJECTED", error.message)
    }
  }

  #filePart({ sessionID, messageID }: RunningToolPart, { mime, url, filename }: ToolAttachment) {
    const id = this.#context.identifiers.ascending("part")
    const name = filename === undefined ? {} : { filename }
    return { id, sessionID, messageID, type: "file", mime, ...name, url } as const
  }
}

/** One call, as a tool sees it. */
class Call implements ToolCall {
  readonly sessionID: string
  readonly messageID: string
  readonly callID: string
  readonly agent: string
  readonly signal: AbortSignal
  /** What was reported last. */
  metadata: JsonObject | undefined
  readonly #context: EngineContext
  readonly #part: RunningToolPart
  readonly #rights: Rights
  readonly #limit = new AbortController()
  #cancelTimer: () => void = () => undefined
  #isOpen = true

  constructor(
    context: EngineContext,
    { agent, rights }: ToolCallerOptions,
    part: RunningToolPart,
    signal: AbortSignal,
  ) {
    this.#context = context
    this.#part = part
    this.#rights = rights
    this.sessionID = part.sessionID
    this.messageID = part.messageID
    this.callID = part.callID
    this.agent = agent
    this.signal = AbortSignal.any([signal, this.#limit.signal])
  }

  /** Sets the time that the call may take from now on. */
  limit({ name, timeLimit }: Tool): void {
    if (timeLimit === undefined) return
    const stop = () => this.#limit.abort(new Error(`${name} took longer than ${timeLimit} ms`))
    this.#cancelTimer = this.#context.timer(stop, timeLimit)
  }

  /** What is reported from now on comes too late. */
  end(): void {
    this.#isOpen = false
    this.#cancelTimer()
  }

  report = async ({ title, metadata }: { title?: string; metadata?: JsonObject }): Promise<void> => {
    if (!this.#isOpen) return
    const stored = metadata && toJsonObject(metadata)
    this.metadata = stored ?? this.metadata
    await this.#context.sessions.parts.update<ToolPart>(this.#part, ({ state }) => {
      if (state.status !== "running") return
      if (title !== undefined) state.title = title
      if (stored !== undefined) state.metadata = stored
    })
  }

  ask: ToolCall["ask"] = (question) => {
    const { sessionID, messageID, callID, signal } = this
    const tool = { messageID, callID }
    const { ruleset, limits, folder } = this.#rights
    return this.#context.permissions.ask({ ...question, sessionID, ruleset, limits, folder, tool, signal })
  }
}

import type { AssistantMessage } from "../model/assistant-message.js"
import type { ToolPart } from "../model/content-part.js"
import type { NewPart } from "../model/part.js"
import type { NewToolState } from "../model/tool-state.js"
import type { ProviderOptions } from "../session/model-message.js"
import type { PartWriter } from "../session/part-writer.js"
import type { PartFields } from "../session/parts.js"
import { SessionError } from "../session/session-error.js"
import type { PartReference } from "../session/session-records.js"
import { type RequestUsage, usageOf } from "../session/usage.js"
import { StorageError } from "../storage/storage-error.js"
import { orAborted } from "./abort.js"
import { CallIDs } from "./call-ids.js"
import { describeThrown } from "./describe-thrown.js"
import { DriverError } from "./driver-error.js"
import type { EngineContext } from "./engine-options.js"
import type { Model } from "./model.js"
import type { DriverEvent, ToolResult } from "./model-driver.js"
import { readEvents } from "./read-events.js"
import { isTooDeep, toJson, toJsonObject } from "./to-json.js"
import { type RunningToolPart, TOOL_ABORTED, type ToolCaller } from "./tool-caller.js"

/** How a step ended. */
export interface StepEnd extends RequestUsage {
  readonly reason: string
}

type EventOf<Type extends DriverEvent["type"]> = Extract<DriverEvent, { type: Type }>

/** Stores what comes back from one request as parts of an answer, and runs the tools that it calls. */
export class Attempt {
  /** Its last step, once that is complete. */
  step: StepEnd | undefined
  /** A person refused a call. */
  isRefused = false
  hasChangedFiles = false
  readonly #context: EngineContext
  readonly #message: AssistantMessage
  readonly #model: Model
  readonly #caller: ToolCaller
  readonly #controller = new AbortController()
  readonly #signal: AbortSignal
  readonly #parts: PartReference[] = []
  readonly #texts = new Map<string, GrowingText>()
  readonly #reasoning = new Map<string, GrowingText>()
  /** The calls that have not ended, by the ids under which they are stored. */
  readonly #calls = new Map<string, ToolPart>()
  readonly #callIDs = new CallIDs()
  readonly #running: Promise<void>[] = []
  #hasCalled = false
  #snapshot: string | undefined

  constructor(
    context: EngineContext,
    message: AssistantMessage,
    model: Model,
    caller: ToolCaller,
    signal: AbortSignal,
  ) {
    this.#context = context
    this.#message = message
    this.#model = model
    this.#caller = caller
    this.#signal = AbortSignal.any([signal, this.#controller.signal])
  }

  /** Whether tools were called, so that it would not be the same to ask again. */
  get hasCalled(): boolean {
    return this.#hasCalled
  }

  /**
   * Takes in all that a driver gives.
   *
   * @throws DriverError when that breaks off; whatever the driver or the store throws
   */
  async consume(events: AsyncIterable<DriverEvent>): Promise<void> {
    await readEvents(events, this.#signal, (event) => this.#handle(event))
    if (this.step !== undefined) return
    throw new DriverError("api", "The answer broke off before it was complete", { isRetryable: true })
  }

  /** Waits for the tools, and completes what is open. */
  async end(): Promise<void> {
    await Promise.all(this.#running)
    await this.#close()
  }

  /** Ends the tools. */
  stop(): void {
    this.#controller.abort()
  }

  /** Ends the tools, and completes what is open. */
  async abort(): Promise<void> {
    this.stop()
    await this.end()
  }

  /** Takes back all that it has stored. */
  async discard(): Promise<void> {
    for (const part of this.#parts.splice(0)) await this.#context.sessions.parts.remove(part)
  }

  // Most events are pieces of text, which must not cost a turn of the event loop.
  #handle(event: DriverEvent): Promise<void> | undefined {
    switch (event.type) {
      case "text-delta":
        return grow(this.#texts.get(event.id), event)
      case "reasoning-delta":
        return grow(this.#reasoning.get(event.id), event)
      case "text-start":
        return this.#begin(this.#texts, "text", event)
      case "reasoning-start":
        return this.#begin(this.#reasoning, "reasoning", event)
      case "text-end":
        return this.#complete(this.#texts, event.id, event.providerMetadata)
      case "reasoning-end":
        return this.#complete(this.#reasoning, event.id, event.providerMetadata)
      case "tool-input-start":
        return this.#announce(event)
      case "tool-call":
        return this.#call(event)
      case "tool-result":
        return this.#settleFirst(event.toolCallID, (part) => {
          return completed(part, event.output, this.#context.clock())
        })
      case "tool-error":
        return this.#settleFirst(event.toolCallID, (part) => {
          return failed(part, describeThrown(event.error), this.#context.clock())
        })
      case "start-step":
        return this.#startStep()
      case "finish-step":
        return this.#finishStep(event)
      case "start":
      case "tool-input-delta":
      case "tool-input-end":
      case "error":
      case "finish":
        return undefined
    }
  }

  async #begin(
    open: Map<string, GrowingText>,
    type: "text" | "reasoning",
    { id, providerMetadata }: EventOf<"text-start" | "reasoning-start">,
  ): Promise<void> {
    if (open.has(id)) return
    const metadata = providerMetadata && { metadata: toJsonObject(providerMetadata) }
    const part = await this.#add({ type, text: "", time: { start: this.#context.clock() }, ...metadata })
    open.set(id, { writer: await this.#context.sessions.parts.write(part), metadata: undefined })
  }

  async #complete(
    open: Map<string, GrowingText>,
    id: string,
    providerMetadata?: ProviderOptions,
  ): Promise<void> {
    const growing = open.get(id)
    if (growing === undefined) return
    open.delete(id)
    const { part } = growing.writer
    const metadata = providerMetadata ?? growing.metadata
    const text = await this.#finalText(part)
    await growing.writer.end((draft) => {
      draft.text = text
      draft.time = { start: this.#context.clock(), ...draft.time, end: this.#context.clock() }
      if (metadata !== undefined) draft.metadata = toJsonObject(metadata)
    })
  }

  async #finalText({ id, type, text }: PartWriter["part"]): Promise<string> {
    const trimmed = text.trimEnd()
    if (type === "reasoning") return trimmed
    const known = { sessionID: this.#message.sessionID, messageID: this.#message.id, partID: id }
    const hook = this.#context.plugins.trigger("experimental.text.complete", known, { text: trimmed })
    try {
      return (await orAborted(hook, this.#signal)).text
    } catch (error) {
      // A plugin that hangs must not keep the text from being stored.
      if (!this.#signal.aborted) throw error
      return trimmed
    }
  }

  async #announce({ id, toolName }: EventOf<"tool-input-start">): Promise<void> {
    const callID = this.#callIDs.announce(id)
    if (callID === undefined) return
    const state = { status: "pending", input: {}, raw: "" } as const
    const tool = this.#caller.nameOf(toolName)
    this.#calls.set(callID, await this.#add({ type: "tool", callID, tool, state }))
  }

  async #call({ toolCallID, toolName, input, ...event }: EventOf<"tool-call">): Promise<void> {
    this.#hasCalled = true
    const tool = this.#caller.nameOf(toolName)
    const metadata = event.providerMetadata && { metadata: toJsonObject(event.providerMetadata) }
    const time = { start: this.#context.clock() }
    const given = isTooDeep(input) ? input : toJson(input)
    const stored = isTooDeep(input) ? {} : toJsonObject(given)
    const state = { status: "running", input: stored, time } as const
    const callID = this.#callIDs.call(toolCallID)
    const announced = this.#calls.get(callID)
    const part =
      announced === undefined
        ? await this.#add({ type: "tool", callID, tool, state, ...metadata })
        : await this.#context.sessions.parts.update<ToolPart>(announced, (draft) => {
            Object.assign(draft, { tool, state, ...metadata })
          })
    this.#calls.set(callID, part)
    if (event.providerExecuted) return
    const running = this.#run(part as RunningToolPart, given)
    // The step waits for it later on; until then nobody would hear of a failing store.
    running.catch(() => undefined)
    this.#running.push(running)
  }

  async #run(part: RunningToolPart, input: unknown): Promise<void> {
    const { state, isRefused } = await this.#caller.call(part, input, this.#signal)
    if (isRefused) this.isRefused = true
    await this.#settle(part.callID, () => state)
  }

  /** Of the calls by the same id of the model, the first that is open has ended. */
  async #settleFirst(id: string, end: (part: ToolPart) => NewToolState): Promise<void> {
    const callID = this.#callIDs.of(id).find((each) => this.#calls.has(each))
    if (callID !== undefined) await this.#settle(callID, end)
  }

  async #settle(callID: string, end: (part: ToolPart) => NewToolState): Promise<void> {
    const part = this.#calls.get(callID)
    if (part === undefined) return
    this.#calls.delete(callID)
    try {
      await this.#storeState(part, end(part))
    } catch (error) {
      if (!SessionError.is(error, "INVALID_RECORD") && !StorageError.is(error, "INVALID_VALUE")) throw error
      // The call has ended; the model is told why it gets nothing.
      await this.#storeState(part, failed(part, UNSTORABLE, this.#context.clock()))
    }
  }

  async #storeState(part: ToolPart, state: NewToolState): Promise<void> {
    await this.#context.sessions.parts.update<ToolPart>(part, (draft) => {
      draft.state = state
    })
  }

  async #startStep(): Promise<void> {
    this.#snapshot = await this.#context.snapshots.track()
    await this.#add({ type: "step-start", ...this.#snapshotField(this.#snapshot) })
  }

  async #finishStep({
    finishReason: reason,
    usage,
    providerMetadata,
  }: EventOf<"finish-step">): Promise<void> {
    await Promise.all(this.#running)
    const { tokens, cost } = usageOf({ model: this.#model, usage, metadata: providerMetadata })
    const snapshot = this.#snapshotField(await this.#context.snapshots.track())
    await this.#add({ type: "step-finish", reason, ...snapshot, cost, tokens })
    this.step = { reason, tokens, cost: (this.step?.cost ?? 0) + cost }
    await this.#notePatch()
  }

  async #notePatch(): Promise<void> {
    if (this.#snapshot === undefined) return
    const { hash, files } = await this.#context.snapshots.patch(this.#snapshot)
    this.#snapshot = undefined
    if (files.length === 0) return
    this.hasChangedFiles = true
    await this.#add({ type: "patch", hash, files })
  }

  async #close(): Promise<void> {
    for (const open of [this.#texts, this.#reasoning]) {
      for (const id of [...open.keys()]) await this.#complete(open, id)
    }
    await this.#notePatch()
    for (const callID of [...this.#calls.keys()]) {
      await this.#settle(callID, (part) => failed(part, TOOL_ABORTED, this.#context.clock()))
    }
  }

  #snapshotField(snapshot: string | undefined): { snapshot?: string } {
    return snapshot === undefined ? {} : { snapshot }
  }

  async #add<Fields extends PartFields>(fields: Fields): Promise<NewPart<Fields["type"]>> {
    const part = await this.#context.sessions.parts.add(this.#message, fields)
    this.#parts.push(part)
    return part
  }
}

const UNSTORABLE = "The result of the tool cannot be stored"

interface GrowingText {
  readonly writer: PartWriter
  /** What the provider noted last. */
  metadata: ProviderOptions | undefined
}

function grow(growing: GrowingText | undefined, event: EventOf<"text-delta" | "reasoning-delta">): undefined {
  if (growing === undefined) return
  growing.metadata = event.providerMetadata ?? growing.metadata
  growing.writer.append(event.text)
}

function completed(
  part: ToolPart,
  { output, title = "", metadata = {} }: ToolResult,
  now: number,
): NewToolState {
  const time = { start: startOf(part) ?? now, end: now }
  const input = part.state.input ?? {}
  // A provider may say something else than the type of the driver promises.
  const text = typeof output === "string" ? output : JSON.stringify(toJson(output) ?? null)
  return {
    status: "completed",
    input,
    output: text,
    title: String(title),
    metadata: toJsonObject(metadata),
    time,
  }
}

function failed(part: ToolPart, error: string, now: number): NewToolState {
  const time = { start: startOf(part) ?? now, end: now }
  return { status: "error", input: part.state.input ?? {}, error, time }
}

function startOf({ state }: ToolPart): number | undefined {
  return state.status === "running" ? state.time.start : undefined
}

import type { ModelMessage, ProviderOptions } from "../../session/model-message.js"
import type { Model } from "../model.js"
import type { RequestMessage } from "../model-driver.js"
import { modelFamily } from "./model-family.js"

/** How many messages of the system and of the conversation are marked: providers take four marks in all. */
const MARKS = 2

/**
 * Marks where a provider may cache what it has read: at the first two messages of the system, and at the last two of
 * the conversation. Only Claude wants to be told; messages to other models come back as they are.
 */
export function withCacheMarks(messages: readonly ModelMessage[], model: Model): RequestMessage[] {
  if (!wantsMarks(model)) return [...messages]
  const system = messages.filter(({ role }) => role === "system").slice(0, MARKS)
  const conversation = messages.filter(({ role }) => role !== "system").slice(-MARKS)
  const marked = new Set([...system, ...conversation])
  return messages.map((message) => (marked.has(message) ? mark(message, model) : message))
}

function wantsMarks(model: Model): boolean {
  return model.providerID.includes("anthropic") || modelFamily(model) === "claude"
}

function mark(message: ModelMessage, { providerID }: Model): RequestMessage {
  if (providerID.includes("bedrock")) return add(message, "bedrock", { cachePoint: { type: "default" } })
  if (providerID.includes("anthropic")) return add(message, "anthropic", { cacheControl: ephemeral })
  const name = providerID.includes("openrouter") ? "openrouter" : "openaiCompatible"
  return markLast(message, name, { cache_control: ephemeral })
}

const ephemeral = { type: "ephemeral" }

// These providers look at the pieces of a message, and at a message only when it has none.
function markLast(message: ModelMessage, name: string, options: ProviderOptions): RequestMessage {
  if (message.role === "system") return add(message, name, options)
  const content = message.content.map((piece, index) => {
    return index === message.content.length - 1 ? add(piece, name, options) : piece
  })
  return { ...message, content } as RequestMessage
}

// A piece may carry notes of the same provider already, such as a signature.
function add<T extends object>(marked: T, name: string, options: ProviderOptions): T & Marked {
  const { providerOptions = {} }: Marked = marked
  const provider = { ...(providerOptions[name] as ProviderOptions | undefined), ...options }
  return { ...marked, providerOptions: { ...providerOptions, [name]: provider } }
}

interface Marked {
  readonly providerOptions?: ProviderOptions
}

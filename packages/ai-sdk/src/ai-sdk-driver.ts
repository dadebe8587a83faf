import type { DriverEvent, ModelDriver, ModelRequest } from "@sessile/core/engine"
import { type LanguageModel, streamText } from "ai"
import { toAiMessages } from "./ai-messages.js"
import { toAiTools } from "./ai-tools.js"
import { toDriverError } from "./driver-errors.js"
import { toDriverEvent } from "./driver-events.js"
import { toAiProviderOptions } from "./provider-options.js"

/** Which model to speak to. */
export interface AiSdkDriverOptions {
  /** A language model of the AI SDK, as the function of a provider gives it. */
  readonly model: LanguageModel
}

/**
 * Lets the engine speak to a language model of the AI SDK. Each request is made once: the engine retries. When the
 * signal comes, the request to the provider is ended and the reason of the signal is thrown; what else fails is thrown
 * as a `DriverError`, which holds nothing of what was sent.
 *
 * @example
 * ```ts
 * const provider = createOpenAICompatible({ name: "acme", baseURL: "https://llm.acme.example/v1", apiKey })
 * const driver = aiSdkDriver({ model: provider("large") })
 * ```
 */
export function aiSdkDriver({ model }: AiSdkDriverOptions): ModelDriver {
  return { stream: (request) => stream(model, request) }
}

async function* stream(model: LanguageModel, request: ModelRequest): AsyncGenerator<DriverEvent> {
  const left = new AbortController()
  try {
    const { fullStream } = streamText({
      model,
      messages: toAiMessages(request.messages),
      allowSystemInMessages: true,
      tools: toAiTools(request.tools),
      temperature: request.temperature,
      topP: request.topP,
      topK: request.topK,
      maxOutputTokens: request.maxOutputTokens,
      providerOptions: toAiProviderOptions(request.providerOptions),
      maxRetries: 0,
      // The AI SDK would go on reading for others when we leave its stream.
      abortSignal: AbortSignal.any([request.signal, left.signal]),
      // By default it prints errors, with all that was sent.
      onError: () => undefined,
    })
    for await (const part of fullStream) {
      if (part.type === "error") throw part.error
      request.signal.throwIfAborted()
      const event = toDriverEvent(part)
      if (event !== undefined) yield event
    }
  } catch (error) {
    request.signal.throwIfAborted()
    throw toDriverError(error)
  } finally {
    left.abort()
  }
}

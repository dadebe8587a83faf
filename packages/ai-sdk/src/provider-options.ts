import type { streamText } from "ai"

type AiProviderOptions = Parameters<typeof streamText>[0]["providerOptions"]

/** What is meant for a provider, which alone knows whether it is of the right form. */
export function toAiProviderOptions(options: object | undefined): AiProviderOptions {
  return options as AiProviderOptions
}

import { z } from "zod"
import type { ModelReference } from "../../model/model-reference.js"

/** A model as people name it, `provider/model`; the name of the model may have slashes of its own. */
export const ModelName = z
  .string()
  .regex(/^[^/]+\/./, "expected a provider and a model, such as anthropic/claude-sonnet-4-5")
  .transform((name): ModelReference => {
    const slash = name.indexOf("/")
    return { providerID: name.slice(0, slash), modelID: name.slice(slash + 1) }
  })

import type { Model } from "../model.js"

/** Models that are best addressed alike. */
export type ModelFamily = "codex" | "gpt" | "gemini" | "claude" | "polaris" | "other"

/** The family of a model, told by the provider's name for it. */
export function modelFamily({ apiID, modelID }: Pick<Model, "apiID" | "modelID">): ModelFamily {
  const id = (apiID ?? modelID).toLowerCase()
  if (id.includes("gpt-5")) return "codex"
  if (/gpt-|\bo[13]\b/.test(id)) return "gpt"
  if (id.includes("gemini-")) return "gemini"
  if (id.includes("claude")) return "claude"
  return id.includes("polaris-alpha") ? "polaris" : "other"
}

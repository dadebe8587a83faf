import { z } from "zod"

const fields = { providerID: z.string(), modelID: z.string() }

/** Which language model, and whose. */
export const ModelReference = z.looseObject(fields)
export type ModelReference = z.output<typeof ModelReference>

/** A model reference as the current release writes it. */
export const NewModelReference = z.strictObject(fields)

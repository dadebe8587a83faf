import type { Step } from "./step.js"

/** Steps that once told a faulty store from the model. They are tried before any random ones. */
export const regressions: readonly (readonly Step[])[] = []

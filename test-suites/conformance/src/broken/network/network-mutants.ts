import { mutantsOfChanges } from "./mutants-of-changes.js"
import { mutantsOfCursors } from "./mutants-of-cursors.js"
import { mutantsOfPages } from "./mutants-of-pages.js"
import type { NetworkMutant } from "./network-mutant.js"

/** Every deliberate fault of the networked adapter. */
export const networkMutants: readonly NetworkMutant[] = [
  ...mutantsOfPages,
  ...mutantsOfCursors,
  ...mutantsOfChanges,
]

import { createRequire } from "node:module"
import { dirname } from "node:path"

/** Where this package is, for its sources and for what is built from them alike. */
export const packageFolder = dirname(createRequire(import.meta.url).resolve("@sessile/interop/package.json"))

import { conformanceTests } from "@sessile/conformance/vitest"
import { harness } from "./memory.js"

await conformanceTests(harness)

import type { EngineSettings } from "../engine-options.js"
import type { Configuration } from "./configuration.js"

/** What a configuration says about what the engine does unasked. */
export function engineSettings({ compaction }: Configuration): EngineSettings {
  return { autoCompaction: compaction?.auto, prune: compaction?.prune }
}

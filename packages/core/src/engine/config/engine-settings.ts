import type { EngineSettings } from "../engine-options.js"
import type { LoadedConfiguration } from "./load-configuration.js"

/**
 * What configuration and flags say about what the engine does unasked.
 *
 * @example
 * ```ts
 * const settings = engineSettings(await loadConfiguration({ directory, worktree }))
 * ```
 */
export function engineSettings(loaded: Pick<LoadedConfiguration, "configuration" | "flags">): EngineSettings {
  const { compaction } = loaded.configuration
  const { experimentalWatcher: watchFiles } = loaded.flags
  return { autoCompaction: compaction?.auto, prune: compaction?.prune, watchFiles }
}

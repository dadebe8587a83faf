import { type Conversion, type ConvertOptions, convert } from "@sessile/convert"
import { MemoryStorage } from "@sessile/core/storage"
import { isMissing, openSource, openTarget, openTargetAsItIs } from "../stores/open-store.js"
import type { StoreAddress } from "../stores/store-address.js"
import type { ConvertCommandOptions } from "./convert.js"

/** What is the same for all runs of a command. */
export type RunOptions = Pick<ConvertOptions, "setAside" | "signal" | "onProgress" | "count">

/** Opens both stores, converts, and closes them. A run that writes nothing makes no target either. */
export async function runConversion(
  from: StoreAddress,
  to: StoreAddress,
  options: ConvertCommandOptions,
  runOptions: RunOptions,
): Promise<Conversion> {
  const { adapter, verify, strict = false, dryRun = false, onConflict } = options
  await using source = await openSource(from, adapter)
  const common = { ...runOptions, source, verify, onConflict, ...selectionOf(options) }
  if (dryRun) {
    await using target = await openTargetAsItIs(to, adapter)
    return await convert({ ...common, target, strict, dryRun })
  }
  // Opening a target makes it, so that what may be refused is tried without one.
  const isTried = strict && (await isMissing(to))
  if (isTried) {
    const trial = await convert({ ...common, target: new MemoryStorage(), strict, dryRun: true })
    if (!trial.finished) return trial
    await trial.ledger.close()
  }
  await using target = await openTarget(to, adapter)
  return await convert({ ...common, target, strict: strict && !isTried })
}

function selectionOf({ since, project, session }: ConvertCommandOptions): Pick<ConvertOptions, "select"> {
  if (since === undefined && project === undefined && session === undefined) return {}
  return { select: { since, projects: project, sessions: session } }
}

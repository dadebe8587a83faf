import {
  type Conversion,
  type ConvertOptions,
  checkSelection,
  convert,
  type SessionSelection,
} from "@sessile/convert"
import { compileLess } from "../compile-less.js"
import type { Output } from "../output/output.js"
import { NAMED } from "../output/sections.js"
import { releaseMemory } from "../release-memory.js"
import { isMissing, openSource, openTarget, preload, previewTarget } from "../stores/open-store.js"
import { ADAPTER, type StoreAddress } from "../stores/store-address.js"
import { storeKind } from "../stores/store-kinds.js"
import { type Withheld, withhold } from "../stores/withhold.js"
import type { ConvertCommandOptions } from "./convert.js"

/** What is the same for all runs of a command. */
export interface RunOptions extends Pick<ConvertOptions, "setAside" | "signal" | "onProgress" | "count"> {
  readonly withheld?: Withheld
  /** Called with what people should know before anything is written. */
  readonly warn: (warning: string) => void
  /** Called while another program holds the target, with the milliseconds so far. */
  readonly onWait?: ((waited: number) => void) | undefined
}

/** A conversion, and what was done for the target's sake. */
export interface ConversionRun {
  readonly conversion: Conversion
  /** What people should know about the target. */
  readonly warnings: readonly string[]
  /** Where the target is kept as it was. */
  readonly backup?: string | undefined
}

/**
 * Opens both stores, converts, and closes them. A run that writes nothing makes no target either, and no backup: that is made
 * right before the first write.
 */
export async function runConversion(
  from: StoreAddress,
  to: StoreAddress,
  options: ConvertCommandOptions,
  { warn, withheld, onWait, ...runOptions }: RunOptions,
): Promise<ConversionRun> {
  // A rescue has run before, to find out what is missing.
  releaseMemory()
  const { adapter, verify, strict = false, dryRun = false, backup = true } = options
  const onConflict = options.onConflict ?? defaultPolicy(to)
  preload(to)
  await using opened = await openSource(from, adapter)
  const source = withheld === undefined ? opened : withhold(opened, withheld)
  const selection = selectionOf(options)
  if (selection !== undefined) await checkSelection(source, selection)
  const common = { ...runOptions, source, verify, onConflict, select: selection }
  // Opening a target makes it, so that what may be refused is tried without one.
  const isTried = strict && (await isMissing(to))
  if (dryRun || isTried) {
    const { storage, warnings = [] } = await previewTarget(to, adapter)
    await using target = storage
    if (dryRun) warnings.forEach(warn)
    const conversion = await convert({ ...common, target, strict, dryRun: true })
    if (dryRun || !conversion.finished) return { conversion, warnings }
    await conversion.ledger.close()
  }
  const { storage, warnings = [], backUp } = await openTarget(to, adapter, onWait)
  await using target = storage
  warnings.forEach(warn)
  let copy: string | undefined
  const beforeWrite = async () => {
    copy = await backUp?.()
  }
  // From here on hardly anything is loaded any more, which would take longer after it.
  compileLess()
  const conversion = await convert({
    ...common,
    target,
    strict: strict && !isTried,
    ...(backup && backUp !== undefined ? { beforeWrite } : {}),
  })
  return { conversion, warnings, backup: copy }
}

/** Whether a conversion is complete and its target undamaged; warns if not. */
export function isSound({ conversion }: ConversionRun, output: Output): boolean {
  const { found, written, present, setAside } = conversion.totals
  const { missing = [], different = [] } = conversion.verification ?? {}
  const faults = [
    ...(found === written + present + setAside
      ? []
      : ["The counts of the records do not add up; please report this as a bug."]),
    ...(missing.length + different.length === 0
      ? []
      : ["The target does not hold what was read from the source."]),
    ...conversion.problems.slice(0, NAMED).map((problem) => `The target is damaged: ${problem}.`),
  ]
  for (const fault of faults) output.warn(fault)
  return faults.length === 0
}

function defaultPolicy({ kind }: StoreAddress): ConvertOptions["onConflict"] {
  return (kind === ADAPTER ? undefined : storeKind(kind).onConflict) ?? "newer"
}

function selectionOf({ since, project, session }: ConvertCommandOptions): SessionSelection | undefined {
  if (since === undefined && project === undefined && session === undefined) return undefined
  return { since, projects: project, sessions: session }
}

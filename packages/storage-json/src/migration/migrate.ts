import { dirname, join, resolve } from "node:path"
import { checkOptions, StorageError } from "@sessile/core/storage"
import { DurableFolders } from "../durable-folders.js"
import { FileLocks } from "../file-lock.js"
import { storageFault } from "../storage-fault.js"
import { StoreLayout } from "../store-layout.js"
import { makeFolder, syncAbove } from "../sync-folder.js"
import { fromLegacyLayout } from "./legacy-layout.js"
import { readMarker, writeMarker } from "./marker.js"
import type { MigrationReport } from "./migration-report.js"
import { RecordSink } from "./record-sink.js"
import { extractSessionDiffs } from "./session-diffs.js"

/** What to migrate. */
export interface MigrateOptions {
  /** The folder of the store; opencode's is `storage` in its data folder. It need not exist yet. */
  readonly path: string
  /** The folder of the legacy layout; `project` beside the store by default. */
  readonly legacy?: string | undefined
  /** As in `JsonStorageOptions`. */
  readonly durability?: "normal" | "full" | undefined
}

const LOCK_TIMEOUT = 30_000

/** The version that a store has when every migration is behind it. */
export const CURRENT_VERSION = 2

/**
 * Brings an older store of opencode up to date, and reports what that took. Nothing is dropped: what cannot be
 * understood is copied as it is and remarked upon, what is there already stays, and originals remain. The
 * store's version advances only when a step has succeeded as a whole; one that was cut short can be run again.
 *
 * @throws StorageError `UNSUPPORTED` for a store of a newer version, `CORRUPT` for an unreadable marker
 *
 * @example
 * ```ts
 * const { written, remarks } = await migrate({ path: opencodePaths().storage })
 * ```
 */
export async function migrate(options: MigrateOptions): Promise<MigrationReport> {
  checkOptions("migrate", options, { path: "string", legacy: "string?", durability: ["normal", "full"] })
  const layout = new StoreLayout(resolve(options.path))
  const durable = options.durability === "full" ? new DurableFolders(layout.root) : undefined
  const locks = new FileLocks(layout, LOCK_TIMEOUT)
  const sink = new RecordSink(layout, durable)
  const steps = [
    () => fromLegacyLayout(sink, resolve(options.legacy ?? join(dirname(layout.root), "project"))),
    () => extractSessionDiffs(sink, locks),
  ]
  const topmost = makeStore(layout)
  if (durable !== undefined && topmost !== undefined) await syncAbove(layout.root, topmost)
  return locks.hold("migration", async () => {
    const from = readMarker(layout)
    if (from > steps.length) throw tooNew(layout, from)
    for (let version = from; version < steps.length; version++) {
      await steps[version]?.()
      await writeMarker(layout, version + 1, durable)
    }
    const { projects, written, present, remarks } = sink
    return { from, to: steps.length, projects, written, present, remarks }
  })
}

/** Gives the topmost folder that was made, if any was. */
function makeStore(layout: StoreLayout): string | undefined {
  try {
    const topmost = makeFolder(layout.locks)
    makeFolder(layout.temporary)
    layout.requireOwnFolders()
    return topmost
  } catch (error) {
    throw storageFault("open the store", error, layout.root)
  }
}

function tooNew(layout: StoreLayout, version: number): StorageError {
  const message = `The store is at version ${version}, newer than this program knows (${CURRENT_VERSION})`
  return new StorageError("UNSUPPORTED", message, { path: layout.marker })
}

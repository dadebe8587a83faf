import { StorageError } from "@sessile/core/storage"
import { writeAtomically } from "../atomic-file.js"
import type { DurableFolders } from "../durable-folders.js"
import { readRegular } from "../regular-file.js"
import { hasCode, storageFault } from "../storage-fault.js"
import type { StoreLayout } from "../store-layout.js"

/** How many migrations a store has behind it; none when it does not say. */
export function readMarker(layout: StoreLayout): number {
  const path = layout.marker
  let text: string
  try {
    text = readRegular(path).toString("latin1")
  } catch (error) {
    if (hasCode(error, "ENOENT")) return 0
    throw storageFault("read the migration marker", error, path)
  }
  if (/^\d{1,9}$/.test(text.trim())) return Number(text)
  const advice = "put the number of migrations done into it, or remove it to run them all again"
  throw new StorageError("CORRUPT", `The migration marker is not a number; ${advice}`, { path })
}

export async function writeMarker(
  layout: StoreLayout,
  version: number,
  durable: DurableFolders | undefined,
): Promise<void> {
  try {
    await writeAtomically(layout.marker, String(version), { temporary: layout.temporary, durable })
  } catch (error) {
    throw storageFault("write the migration marker", error, layout.marker)
  }
}

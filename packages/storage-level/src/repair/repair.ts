import { rm } from "node:fs/promises"
import { join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { filesOf, refuseHeld } from "../database.js"
import { holdsRecords } from "../files/file-names.js"
import { isHalfRepaired, REPAIR_FOLDERS } from "../files/repair-folders.js"
import { levelFault } from "../level-fault.js"
import { PrivateFiles } from "../private-files.js"
import { foreign, parseMarker } from "../store-marker.js"
import { rebuild, takeInventory } from "./rebuild.js"
import { finishBuilding, replaceFiles } from "./replace-files.js"
import { filesToSalvage } from "./salvage-store.js"

/** What a repair came to. */
export interface RepairReport {
  /** How many records the store has now. */
  readonly records: number
  /** What could not be read, one sentence each; the records in it are lost. Empty where nothing was lost. */
  readonly losses: readonly string[]
}

/** See `LevelStorage.repair`. */
export async function repair(path: string): Promise<RepairReport> {
  const names = (await filesOf(path)) ?? []
  const isStore = names.some((name) => holdsRecords(name) || name.startsWith("MANIFEST-"))
  if (!isStore && !isHalfRepaired(names)) {
    throw new StorageError("NOT_FOUND", "There is no store here", { path })
  }
  try {
    await refuseHeld(path)
    await new PrivateFiles(path).restrict()
    // What was rebuilt before is complete; only the files were not all replaced.
    if (isHalfRepaired(names)) await replaceFiles(path)
    return await repairFiles(path)
  } catch (error) {
    throw levelFault("repair the store", error, path)
  }
}

async function repairFiles(path: string): Promise<RepairReport> {
  const target = join(path, REPAIR_FOLDERS.building)
  await rm(target, { recursive: true, force: true })
  const { names, losses } = await filesToSalvage(path)
  const inventory = await takeInventory(path, names)
  if (!inventory.isOurs) throw foreign(path)
  if (inventory.marker !== undefined) refuseNewer(inventory.marker, path)
  const records = await rebuild(path, names, inventory, target)
  await finishBuilding(path)
  await replaceFiles(path)
  return { records, losses: [...new Set([...losses, ...inventory.losses])] }
}

function refuseNewer(marker: string, path: string): void {
  try {
    parseMarker(marker, path)
  } catch (error) {
    // A damaged one is replaced.
    if (!StorageError.is(error, "CORRUPT")) throw error
  }
}

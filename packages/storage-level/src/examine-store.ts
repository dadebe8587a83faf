import { refuseHeld } from "./database.js"
import { checkStore } from "./files/check-store.js"
import { Damage, damagedStore } from "./files/damage.js"
import { levelFault } from "./level-fault.js"
import { PrivateFiles } from "./private-files.js"

/**
 * Checks the files of a store that is about to be opened, and changes none of them.
 *
 * @returns what opening drops as incomplete, in words
 * @throws StorageError `CORRUPT` for a damaged store, `LOCKED` at once for one that is open elsewhere
 */
export async function examineStore(path: string): Promise<readonly string[]> {
  await refuseHeld(path)
  await new PrivateFiles(path).restrict()
  try {
    return await examineCopy(path, path)
  } catch (error) {
    // Files that somebody has begun to write to since do not fit together either.
    await refuseHeld(path)
    throw error
  }
}

/** The same for a copy of a store that nobody else knows of. */
export async function examineCopy(copy: string, original: string): Promise<readonly string[]> {
  try {
    return await checkStore(copy)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT"
    const damage = isMissing ? new Damage("a file is missing that another one names") : error
    throw damage instanceof Damage
      ? damagedStore(original, damage)
      : levelFault("open the store", error, original)
  }
}

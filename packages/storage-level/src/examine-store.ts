import { refuseHeld } from "./database.js"
import { checkStore } from "./files/check-store.js"
import { Damage, damagedStore } from "./files/damage.js"
import { levelFault } from "./level-fault.js"
import { PrivateFiles } from "./private-files.js"

/**
 * Checks the files of a store that is about to be opened, and changes none of them.
 *
 * @returns what opening drops as incomplete, in words
 * @throws StorageError `CORRUPT` for a damaged store, `LOCKED` for one that is open elsewhere
 */
export async function examineStore(path: string): Promise<readonly string[]> {
  try {
    return await checkedStore(path)
  } catch (error) {
    // Files that somebody is writing to do not fit together either.
    await refuseHeld(path)
    await new PrivateFiles(path).restrict()
    if (!(error instanceof Damage)) throw levelFault("open the store", error, path)
  }
  return examineCopy(path, path)
}

/** The same for a copy of a store that nobody else knows of. */
export async function examineCopy(copy: string, original: string): Promise<readonly string[]> {
  try {
    return await checkedStore(copy)
  } catch (error) {
    throw error instanceof Damage
      ? damagedStore(original, error)
      : levelFault("open the store", error, original)
  }
}

async function checkedStore(folder: string): Promise<readonly string[]> {
  try {
    return await checkStore(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    throw new Damage("a file is missing that another one names")
  }
}

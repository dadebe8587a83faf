import { type BigIntStats, mkdtempSync, rmSync } from "node:fs"
import { chmod, constants, copyFile, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { filesOf } from "./database.js"
import { Damage, damagedStore } from "./files/damage.js"
import { holdsRecords } from "./files/file-names.js"
import { isHalfRepaired } from "./files/repair-folders.js"
import { copyPrefix, removeLeftovers } from "./leftover-copies.js"
import { levelFault } from "./level-fault.js"

/** How often to look for a moment at which nobody writes. */
const ATTEMPTS = 4

/**
 * A copy of a store in a folder of its own, which only its owner can enter. It is gone when it is removed, or when
 * the process ends; that of a process that was killed is removed by the next one that makes a copy.
 */
export class PrivateCopy {
  readonly path: string
  readonly #original: string
  #copied: Files = new Map()
  readonly #onExit = () => this.remove()

  private constructor(original: string) {
    this.#original = original
    this.path = mkdtempSync(join(tmpdir(), copyPrefix(process.pid)))
    process.on("exit", this.#onExit)
  }

  /**
   * Copies a store as it is at one moment. LevelDB can open its files in the state of any moment: it is what it
   * finds after a crash.
   *
   * @throws StorageError `NOT_FOUND` where there is no store, `LOCKED` when somebody keeps changing it
   */
  static async make(path: string): Promise<PrivateCopy> {
    let copy: PrivateCopy | undefined
    try {
      await removeLeftovers()
      copy = new PrivateCopy(path)
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        copy.#copied = await copyFiles(path, copy.path)
        if (!(await copy.isOutdated())) return copy
      }
    } catch (error) {
      copy?.remove()
      throw levelFault(`read a copy of the store in ${tmpdir()}`, error, path)
    }
    copy.remove()
    throw new StorageError("LOCKED", "Somebody keeps writing to the store; try again later", { path })
  }

  /** Whether the store was written to since it was copied. */
  async isOutdated(): Promise<boolean> {
    const now = await statsOf(this.#original)
    if (now.size !== this.#copied.size) return true
    return [...this.#copied].some(([name, stats]) => !isSame(stats, now.get(name)))
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 })
    process.off("exit", this.#onExit)
  }
}

type Files = ReadonlyMap<string, BigIntStats>

/** Copies the files of a store, and gives what they were like before. */
async function copyFiles(path: string, copy: string): Promise<Files> {
  const files = await statsOf(path)
  if (isHalfRepaired(files.keys())) throw damagedStore(path, new Damage("its repair was cut short"))
  if (!files.has("CURRENT")) {
    if ([...files.keys()].some(holdsRecords))
      throw damagedStore(path, new Damage("its file CURRENT is missing"))
    throw new StorageError("NOT_FOUND", "There is no store here", { path })
  }
  for (const [name, stats] of files) {
    // Held by whoever has the store open, and made anew by whoever opens the copy.
    if (name === "LOCK" || name.startsWith("LOG") || !stats.isFile()) continue
    try {
      await copyFile(join(path, name), join(copy, name), constants.COPYFILE_FICLONE)
      // The permissions came along, and may not let the owner write.
      await chmod(join(copy, name), 0o600)
    } catch (error) {
      // It went away since it was listed, which shows when the files are looked at again.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    }
  }
  return files
}

async function statsOf(path: string): Promise<Files> {
  const names = (await filesOf(path)) ?? []
  const stats = names.map(async (name) => [name, await statOf(join(path, name))] as const)
  return new Map((await Promise.all(stats)).flatMap(([name, found]) => (found ? [[name, found]] : [])))
}

async function statOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

function isSame(before: BigIntStats, after: BigIntStats | undefined): boolean {
  return before.ino === after?.ino && before.size === after.size && before.mtimeNs === after.mtimeNs
}

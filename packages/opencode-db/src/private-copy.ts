import { constants } from "node:fs"
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

/** A copy of a database that nobody else uses, gone when it is disposed of. */
export interface PrivateCopy extends AsyncDisposable {
  readonly path: string
}

const ATTEMPTS = 5

/**
 * Copies a database with its write-ahead log, so that it can be read without a trace: SQLite makes files beside
 * every database that it opens in that mode. Gives `undefined` when others write to it so often that no copy is of
 * one moment.
 */
export async function privateCopy(path: string): Promise<PrivateCopy | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "sessile-"))
  const dispose = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  const copy = join(folder, basename(path))
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await stateOf(path)
      await copyFile(path, copy, constants.COPYFILE_FICLONE)
      await copyIfThere(`${path}-wal`, `${copy}-wal`)
      if ((await stateOf(path)) === before) return { path: copy, [Symbol.asyncDispose]: dispose }
    }
  } catch (error) {
    await dispose()
    throw error
  }
  await dispose()
  return undefined
}

/** Whatever changes when somebody writes to a database. */
async function stateOf(path: string): Promise<string> {
  const files = await Promise.all([path, `${path}-wal`].map(statIfThere))
  return files.map((file) => (file ? `${file.ino} ${file.size} ${file.mtimeNs}` : "none")).join(", ")
}

async function statIfThere(path: string) {
  try {
    return await stat(path, { bigint: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    return undefined
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
  }
}

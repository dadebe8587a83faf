import { randomUUID } from "node:crypto"
import { rename, rm, writeFile } from "node:fs/promises"
import { FileError } from "./file-error.js"
import { readRegularFile } from "./read-regular-file.js"

/** The text of a file, or `undefined` when there is none, or something that is no file in its place. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readRegularFile(path)
  } catch (error) {
    // ENOTDIR: in linked worktrees and submodules `.git` is a file.
    if (FileError.is(error, "IRREGULAR")) return undefined
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined
    throw error
  }
}

/** Gives a file this text, unless it has it; every reader sees the old text or the new. */
export async function replaceFile(path: string, text: string, mode = 0o666): Promise<void> {
  if ((await readIfThere(path)) === text) return
  const prepared = `${path}-${randomUUID()}`
  try {
    await writeFile(prepared, text, { flag: "wx", mode })
    await rename(prepared, path)
  } finally {
    await rm(prepared, { force: true })
  }
}

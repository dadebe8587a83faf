import { randomUUID } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"

/** The text of a file, or `undefined` when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    // ENOTDIR: in linked worktrees and submodules `.git` is a file.
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined
    throw error
  }
}

/** Gives a file this text, unless it has it; every reader sees the old text or the new. */
export async function replaceFile(path: string, text: string): Promise<void> {
  if ((await readIfThere(path)) === text) return
  const prepared = `${path}-${randomUUID()}`
  try {
    await writeFile(prepared, text, { flag: "wx" })
    await rename(prepared, path)
  } finally {
    await rm(prepared, { force: true })
  }
}

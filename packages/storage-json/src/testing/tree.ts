import { lstat, readdir, readFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"

/** The bytes of every file below a folder, one character each, by path with `/`. */
export async function filesOf(root: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files[relative(root, path).split(sep).join("/")] = await readFile(path, "latin1")
  }
  return files
}

/** Like {@link filesOf}, for a store: Sessile's own folder is left out. */
export async function recordFilesOf(root: string): Promise<Record<string, string>> {
  const files = Object.entries(await filesOf(root))
  return Object.fromEntries(files.filter(([path]) => !path.startsWith(".sessile/")))
}

/** Everything that a write would change: all names below a folder and itself, with sizes, modes and times. */
export async function stateOf(root: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {}
  for (const name of [".", ...(await readdir(root, { recursive: true }))]) {
    const { mode, size, mtimeMs, ctimeMs } = await lstat(join(root, name))
    state[name] = `${mode.toString(8)} ${size} ${mtimeMs} ${ctimeMs}`
  }
  return state
}

import { lstat, readdir, readFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"

/** The bytes of every file below a folder, one character each, by path with `/`; Sessile's own folder is left out. */
export async function filesOf(root: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(root, path).split(sep).join("/")
    if (entry.isFile() && !name.startsWith(".sessile/")) files[name] = await readFile(path, "latin1")
  }
  return files
}

/** Everything that a write would change: all names below a folder and itself, with bytes, modes and times. */
export async function stateOf(root: string): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {}
  for (const name of [".", ...(await readdir(root, { recursive: true }))]) {
    const path = join(root, name)
    const { mode, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true })
    const bytes = (await lstat(path)).isFile() ? await readFile(path, "latin1") : undefined
    state[name] = { mode, size, mtimeNs, ctimeNs, bytes }
  }
  return state
}

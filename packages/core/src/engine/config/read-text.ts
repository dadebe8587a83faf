import { readFile } from "node:fs/promises"

/** The text of a file; `undefined` when there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    if (!isAbsent(error)) throw error
    return undefined
  }
}

/** Whether an error says that there is no such file, or that it is no folder, or a folder. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR"
}

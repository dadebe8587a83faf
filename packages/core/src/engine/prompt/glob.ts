import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { matchesWildcard } from "../../permission/wildcard.js"
import { isAbsent } from "../config/read-text.js"

/**
 * The files in `folder` whose path from there matches: in each name `*` and `?` are wildcards, and `**` stands for any
 * number of folders. Wildcards neither follow links to folders nor match names that begin with a dot; a path without
 * any comes back whether it is there or not.
 */
export async function glob(folder: string, pattern: string): Promise<string[]> {
  const names = pattern.split("/").filter((name) => name !== "" && name !== ".")
  return [...new Set(await find(folder, names))]
}

async function find(folder: string, [name, ...rest]: readonly string[]): Promise<string[]> {
  if (name === undefined) return []
  if (!/[*?]/.test(name)) return rest.length === 0 ? [join(folder, name)] : find(join(folder, name), rest)
  const visible = (await entries(folder)).filter((entry) => !entry.name.startsWith("."))
  if (name === "**") {
    const folders = visible.filter((entry) => entry.isDirectory())
    const deeper = folders.map((entry) => find(join(folder, entry.name), [name, ...rest]))
    return (await Promise.all([find(folder, rest), ...deeper])).flat()
  }
  const matching = visible.filter((entry) => matchesWildcard(entry.name, name))
  if (rest.length === 0)
    return matching.filter((entry) => !entry.isDirectory()).map((entry) => join(folder, entry.name))
  const folders = matching.filter((entry) => entry.isDirectory())
  return (await Promise.all(folders.map((entry) => find(join(folder, entry.name), rest)))).flat()
}

async function entries(folder: string): Promise<Dirent[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true })
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

import { readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path"

/** As many links as Linux follows. */
const MOST_LINKS = 40

/**
 * Where a path leads, all symbolic links followed. Of what does not exist, the nearest folder that does is resolved;
 * a link to a file that does not exist yet leads to that file.
 *
 * @throws the error of the file system, such as `ELOOP` or `EACCES`
 */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error
  }
  const parent = dirname(path)
  if (parent === path) return path
  const target = readLink(path)
  if (target === undefined) return join(realPath(parent, links), basename(path))
  if (links === MOST_LINKS) throw Object.assign(new Error(`Too many links at ${path}`), { code: "ELOOP" })
  return realPath(resolve(realPath(parent, links), target), links + 1)
}

/** Where the system finds a path: it follows the links before a `..`, while `resolve` takes the two away. */
export function walkedPath(folder: string, path: string): string {
  const start = isAbsolute(path) ? parse(path).root : realPath(folder)
  const below = isAbsolute(path) ? path.slice(start.length) : path
  const names = below.split(sep === "\\" ? /[\\/]/ : "/").filter((name) => name !== "" && name !== ".")
  return names.reduce((walked, name) => {
    return name === ".." ? dirname(walked) : realPath(join(walked, name))
  }, start)
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EINVAL", "UNKNOWN"].includes(codeOf(error) ?? "")) return undefined
    throw error
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

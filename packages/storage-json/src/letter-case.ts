import { readdirSync, realpathSync } from "node:fs"
import { readdir, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, relative } from "node:path"
import { hasCode } from "./storage-fault.js"

/**
 * Keeps keys apart that differ in letter case alone. Where the file system takes their names for the same one,
 * a record answers only to the spelling under which it was written.
 */
export class LetterCase {
  readonly #root: string
  readonly #realRoot: string
  readonly #matters: boolean

  private constructor(root: string, realRoot: string, matters: boolean) {
    this.#root = root
    this.#realRoot = realRoot
    this.#matters = matters
  }

  /** Finds out, without writing, how the file system of an existing folder treats letter case. */
  static async of(root: string): Promise<LetterCase> {
    return new LetterCase(root, await realpath(root), await matters(root))
  }

  /** Whether `path`, or a folder on the way to it, exists under another spelling. */
  isSpeltDifferently(path: string): boolean {
    if (this.#matters) return false
    if (process.platform === "linux") return this.#isListedDifferently(path)
    for (let place = relative(this.#root, path); place !== "."; place = dirname(place)) {
      const expected = join(this.#realRoot, place)
      const actual = spellingOf(expected)
      if (actual === undefined) continue
      return actual !== expected && actual.toLowerCase() === expected.toLowerCase()
    }
    return false
  }

  #isListedDifferently(path: string): boolean {
    for (let place = path; place !== this.#root; place = dirname(place)) {
      const name = basename(place)
      const names = namesIn(dirname(place))
      if (names.includes(name)) continue
      if (names.some((other) => other.toLowerCase() === name.toLowerCase())) return true
    }
    return false
  }
}

async function matters(folder: string): Promise<boolean> {
  const name = (await readdir(folder)).find((entry) => flipCase(entry) !== entry)
  if (name === undefined) return true
  try {
    const [entry, flipped] = await Promise.all([stat(join(folder, name)), stat(join(folder, flipCase(name)))])
    return entry.ino !== flipped.ino || entry.dev !== flipped.dev
  } catch (error) {
    if (hasCode(error, "ENOENT")) return true
    throw error
  }
}

function flipCase(name: string): string {
  const upper = name.toUpperCase()
  return upper === name ? name.toLowerCase() : upper
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return []
    throw error
  }
}

// The native call gives names as the file system spells them, except on Linux, where nothing but a listing does.
function spellingOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return undefined
    throw error
  }
}

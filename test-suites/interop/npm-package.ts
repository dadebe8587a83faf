import { execFile } from "node:child_process"
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { packageFolder } from "./package-folder.js"

const run = promisify(execFile)

const cache = join(packageFolder, ".cache")

/**
 * Gives the folder of a published package, fetched from the npm registry at first use and kept from then on under
 * a name in the cache. A package is in the cache as a whole or not at all, also when the download is killed.
 *
 * @throws Error if the package is not in the cache and cannot be fetched
 */
export async function obtainPackage(specifier: string, name: string): Promise<string> {
  const kept = join(cache, name)
  if (!(await exists(kept))) await download(specifier, kept)
  return join(kept, "package")
}

async function download(specifier: string, kept: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  // rename is atomic only within one file system, hence a sibling
  const partial = await mkdtemp(`${kept}-partial-`)
  try {
    const archive = (await run("npm", ["pack", specifier, "--silent"], { cwd: partial })).stdout.trim()
    await run("tar", ["-xzf", archive], { cwd: partial })
    await rm(join(partial, archive))
    await rename(partial, kept)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    // Another process that was faster leaves a full folder in the way of the rename.
    if (!(await exists(kept))) throw new Error(`Cannot fetch ${specifier}`, { cause: error })
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    return false
  }
}

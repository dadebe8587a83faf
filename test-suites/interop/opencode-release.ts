import { execFile } from "node:child_process"
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

// By the package's own name, so that the sources and what is built from them share one cache.
const manifest = createRequire(import.meta.url).resolve("@sessile/interop/package.json")
const cache = join(dirname(manifest), ".cache")

/**
 * Gives the path of a released opencode, fetched from the npm registry at first use and kept from then on.
 * A release is in the cache as a whole or not at all, also when the download is killed.
 *
 * @throws Error if the release is not in the cache and cannot be fetched
 */
export async function obtainOpencode(version: string): Promise<string> {
  const release = join(cache, version)
  if (!(await exists(release))) await download(version, release)
  return join(release, "package", "bin", "opencode")
}

async function download(version: string, release: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  // rename is atomic only within one file system, hence a sibling
  const partial = await mkdtemp(`${release}-partial-`)
  try {
    const pack = ["pack", `opencode-linux-x64@${version}`, "--silent"]
    const archive = (await run("npm", pack, { cwd: partial })).stdout.trim()
    await run("tar", ["-xzf", archive], { cwd: partial })
    await rm(join(partial, archive))
    await rename(partial, release)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    // Another process that was faster leaves a full folder in the way of the rename.
    if (!(await exists(release))) throw new Error(`Cannot fetch opencode ${version}`, { cause: error })
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

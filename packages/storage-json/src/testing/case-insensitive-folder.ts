import { execFile } from "node:child_process"
import { access, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { type TemporaryFolder, temporaryFolder } from "@sessile/fixtures"

const run = promisify(execFile)

/** Whether a folder's file system takes names for the same that differ in letter case alone. */
export async function ignoresLetterCase(folder: string): Promise<boolean> {
  await writeFile(join(folder, "probe"), "")
  return access(join(folder, "PROBE")).then(
    () => true,
    () => false,
  )
}

/**
 * An empty folder on a file system that ignores letter case: the system's own, as on macOS, or one in an image
 * that is mounted until the folder goes out of scope. `undefined` where neither can be had.
 */
export async function caseInsensitiveFolder(): Promise<TemporaryFolder | undefined> {
  const folder = await temporaryFolder()
  const path = join(folder.path, "store")
  await mkdir(path)
  if (await ignoresLetterCase(folder.path)) return { ...folder, path }
  try {
    const image = join(folder.path, "image")
    await run("mkfs.vfat", ["-C", image, "8192"])
    await run("mount", ["-o", "loop", image, path])
  } catch {
    await folder[Symbol.asyncDispose]()
    return undefined
  }
  return {
    path,
    async [Symbol.asyncDispose]() {
      await run("umount", [path])
      await folder[Symbol.asyncDispose]()
    },
  }
}

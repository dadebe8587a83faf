import { readdir, readlink } from "node:fs/promises"
import { join, sep } from "node:path"

const DESCRIPTORS = "/proc/self/fd"

/** How many files in a folder this process has open; `undefined` where the operating system does not say. */
export async function openFilesIn(folder: string): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined
  const paths = await Promise.all((await readdir(DESCRIPTORS)).map(openFile))
  return paths.filter((path) => path?.startsWith(folder + sep)).length
}

async function openFile(descriptor: string): Promise<string | undefined> {
  try {
    return await readlink(join(DESCRIPTORS, descriptor))
  } catch (error) {
    // The one that listed the descriptors is closed by now.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    return undefined
  }
}

import { execFile } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"

const run = promisify(execFile)

/** A file system, mounted until it goes out of scope. */
export interface SmallFileSystem extends AsyncDisposable {
  readonly path: string
  makeReadonly(): Promise<void>
}

/** Mounts one in memory; `undefined` where that is not possible or not allowed. */
export async function mountSmallFileSystem(): Promise<SmallFileSystem | undefined> {
  const folder = await temporaryFolder()
  const mounted = await mountFileSystem(folder.path, "1m")
  if (mounted === undefined) await folder[Symbol.asyncDispose]()
  return (
    mounted && {
      ...mounted,
      async [Symbol.asyncDispose]() {
        await mounted[Symbol.asyncDispose]()
        await folder[Symbol.asyncDispose]()
      },
    }
  )
}

/** Mounts one in memory at a path, where a folder is made if there is none. */
export async function mountFileSystem(path: string, size = "16m"): Promise<SmallFileSystem | undefined> {
  await mkdir(path, { recursive: true })
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path])
  } catch {
    return undefined
  }
  return {
    path,
    async makeReadonly() {
      await run("mount", ["-o", "remount,ro", path])
    },
    async [Symbol.asyncDispose]() {
      await run("umount", [path])
    },
  }
}

import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { temporaryFolder } from "@sessile/fixtures"

const run = promisify(execFile)

/** A file system of 1 MB, mounted until it goes out of scope. */
export interface SmallFileSystem extends AsyncDisposable {
  readonly path: string
  makeReadonly(): Promise<void>
}

/** Mounts one in memory; `undefined` where that is not possible or not allowed. */
export async function mountSmallFileSystem(): Promise<SmallFileSystem | undefined> {
  const folder = await temporaryFolder()
  const { path } = folder
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path])
  } catch {
    await folder[Symbol.asyncDispose]()
    return undefined
  }
  return {
    path,
    async makeReadonly() {
      await run("mount", ["-o", "remount,ro", path])
    },
    async [Symbol.asyncDispose]() {
      await run("umount", [path])
      await folder[Symbol.asyncDispose]()
    },
  }
}

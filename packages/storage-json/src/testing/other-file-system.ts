import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TemporaryFolder } from "@sessile/fixtures"

/** A folder that no file can be linked to from temporary folders; `undefined` where there is none. */
export async function otherFileSystem(): Promise<TemporaryFolder | undefined> {
  const memory = await stat("/dev/shm").catch(() => undefined)
  if (memory === undefined || memory.dev === (await stat(tmpdir())).dev) return undefined
  const path = await mkdtemp(join("/dev/shm", "sessile-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

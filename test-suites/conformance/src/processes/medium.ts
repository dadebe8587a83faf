import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A file system with a property that only the operating system can give it. */
export type Medium = "read-only" | "small"

/** How much a small medium holds, in bytes. */
export const SMALL_MEDIUM = 8 * 1024 * 1024

const mounts: Readonly<Record<Medium, string>> = {
  "read-only": 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"',
  small: `mount -t tmpfs -o size=${SMALL_MEDIUM},mode=0700 none "$0"`,
}

/** A command that runs the command behind it with a folder on such a medium. Nobody else sees the medium. */
export function onMedium(medium: Medium, folder: string): string[] {
  return ["unshare", ...namespaces(), "sh", "-c", `${mounts[medium]} && exec "$@"`, folder]
}

/** Why such media cannot be had on this machine, if so. */
export async function mediumObstacle(): Promise<string | undefined> {
  if (process.platform !== "linux") return "needs Linux, to mount file systems that nobody else sees"
  const folder = await mkdtemp(join(tmpdir(), "sessile-medium-"))
  try {
    const [command = "", ...rest] = [...onMedium("small", folder), "true"]
    await run(command, rest)
    return undefined
  } catch (error) {
    return `needs the right to mount file systems in a namespace (${(error as Error).message.split("\n")[0]})`
  } finally {
    await rm(folder, { recursive: true })
  }
}

// Whoever is not root becomes it within a user namespace of their own.
function namespaces(): string[] {
  return process.getuid?.() === 0 ? ["--mount"] : ["--mount", "--map-root-user"]
}

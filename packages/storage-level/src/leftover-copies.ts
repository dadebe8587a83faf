import { readdir, rm } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { refuseHeld } from "./database.js"

const PREFIX = "sessile-copy-level-"

/** What the names of the copies of a process start with. Its number means something on one machine only. */
export function copyPrefix(pid: number): string {
  return `${PREFIX}${hostname().replace(/[^\w.]/g, "_")}-${pid}-`
}

/** Removes the copies of processes of this machine that were killed. */
export async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX))
  for (const name of names) {
    const pid = Number(/-(\d+)-\w+$/.exec(name)?.[1])
    if (!name.startsWith(copyPrefix(pid)) || isRunning(pid)) continue
    const path = join(tmpdir(), name)
    if (await isFree(path)) await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** Whether nobody has the copy open: containers may share a folder and a name, but not the numbers of processes. */
async function isFree(path: string): Promise<boolean> {
  try {
    await refuseHeld(path)
    return true
  } catch (error) {
    if (StorageError.is(error)) return false
    throw error
  }
}

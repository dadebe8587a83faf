import { fstatSync, readdirSync, statSync } from "node:fs"

/** Where an operating system lists the open files of a process: Linux, macOS, the BSDs. */
const OPEN_FILES = "/dev/fd"

/**
 * Whether this process has a file open, in any of its threads and by any library. On POSIX systems the locks that SQLite
 * has on a database are the process's, not the connection's: who opens and closes the file by other means drops them, and
 * another process may then write over what this one writes. Windows ties locks to handles, so that nothing is lost there.
 */
export function isOpenHere(path: string): boolean {
  if (process.platform === "win32") return false
  const { dev, ino } = statSync(path)
  return openFiles().some((file) => {
    const stats = statsOf(file)
    return stats !== undefined && stats.dev === dev && stats.ino === ino
  })
}

function openFiles(): number[] {
  return readdirSync(OPEN_FILES).map(Number).filter(Number.isInteger)
}

function statsOf(file: number): { readonly dev: number; readonly ino: number } | undefined {
  try {
    return fstatSync(file)
  } catch (error) {
    // It was closed meanwhile, like the one that listed them.
    if ((error as NodeJS.ErrnoException).code === "EBADF") return undefined
    throw error
  }
}

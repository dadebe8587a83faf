import { statSync } from "node:fs"

/**
 * When a file or folder was changed last, in milliseconds; `undefined` where there is none. In-place changes show in the
 * time of the content, files that were put here from elsewhere in that of the inode.
 */
export function changeTime(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && Math.max(stats.mtimeMs, stats.ctimeMs)
}

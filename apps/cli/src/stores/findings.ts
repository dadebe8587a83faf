import { open, readdir, stat } from "node:fs/promises"
import { StorageError } from "@sessile/core/storage"

/** What lies at a path, seen from outside. */
export interface Findings {
  readonly path: string
  /** The names in a folder. */
  readonly names?: readonly string[] | undefined
  /** The first bytes of a file. */
  readonly header?: Buffer | undefined
}

const HEADER_BYTES = 100

/**
 * Looks at a path without changing anything; `undefined` when nothing is there.
 *
 * @throws StorageError `INVALID_ARGUMENT` for a FIFO, a socket or a device
 */
export async function lookAt(path: string): Promise<Findings | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return { path, names: await readdir(path) }
    // To open a FIFO waits for its other end, and a device may never end.
    if (!found.isFile()) throw new StorageError("INVALID_ARGUMENT", "Not a file or folder", { path })
    return { path, header: await readHeader(path) }
  } catch (error) {
    if (StorageError.is(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    const message = "Cannot read this file or folder; check its permissions"
    throw new StorageError(code === "EACCES" ? "DENIED" : "IO", message, { path, cause: error })
  }
}

/** Whether nothing is there that could be lost: no file, an empty one, or an empty folder. */
export function isVacant(findings: Findings | undefined): boolean {
  return (findings?.names ?? findings?.header ?? []).length === 0
}

/** The first bytes of a file. */
export async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

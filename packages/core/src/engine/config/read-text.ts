import { FileError } from "../../project/file-error.js"
import { readRegularFile } from "../../project/read-regular-file.js"
import { ConfigurationError } from "./configuration-error.js"

/**
 * The text of a file; `undefined` when there is none.
 *
 * @throws ConfigurationError when it is no regular file, or too large for one that people write
 */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readRegularFile(path)
  } catch (error) {
    if (FileError.is(error)) {
      throw new ConfigurationError(path, [{ line: 1, column: 1, reason: error.message }], { cause: error })
    }
    if (!isAbsent(error)) throw error
    return undefined
  }
}

/** Whether an error says that there is no such file, or that it is no folder, or a folder. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR"
}

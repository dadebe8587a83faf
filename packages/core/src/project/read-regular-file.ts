import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { FileError } from "./file-error.js"

/** More than people write into a file of settings or instructions. */
const LARGEST = 1024 * 1024

const CHUNK_SIZE = 64 * 1024

/**
 * The text of a file that somebody else has named or made. Pipes, sockets and devices, which may never end, are not
 * opened for good, and of a file no more than `largest` bytes are read.
 *
 * @throws FileError `IRREGULAR`, `TOO_LARGE`; the error of the file system, such as `ENOENT` or `EISDIR`
 */
export async function readRegularFile(path: string, largest = LARGEST): Promise<string> {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const found = await file.stat()
  if (!found.isFile() && !found.isDirectory()) {
    throw new FileError("IRREGULAR", `${path} is not a regular file; put a regular file in its place`)
  }
  const chunks: Buffer[] = []
  // The size that the system states is not to be relied on: some files have content and a size of 0.
  for (let length = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_SIZE), 0, CHUNK_SIZE, null)
    if (bytesRead === 0) return Buffer.concat(chunks).toString()
    chunks.push(buffer.subarray(0, bytesRead))
    length += bytesRead
    if (length > largest) {
      throw new FileError("TOO_LARGE", `${path} has more than ${largest} bytes, which is the limit here`)
    }
  }
}

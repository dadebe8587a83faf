import { CodedError } from "../error/coded-error.js"

/**
 * Why a file is not read:
 *
 * | code | meaning |
 * |---|---|
 * | `IRREGULAR` | it is a pipe, a socket or a device |
 * | `TOO_LARGE` | it has more bytes than such a file may have |
 */
export type FileErrorCode = "IRREGULAR" | "TOO_LARGE"

/** A file that is refused for what it is. The message has its path, never its content. */
export class FileError extends CodedError<FileErrorCode> {
  static override readonly type = "FileError"
}

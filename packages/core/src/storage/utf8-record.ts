import { isAscii } from "node:buffer"
import type { TextRecord } from "./text-entry.js"

/** A record in UTF-8. Its text is made when somebody wants it: whoever moves records between stores does not. */
export class Utf8Record implements TextRecord {
  readonly key: string
  readonly utf8: Buffer
  #text: string | undefined

  constructor(key: string, utf8: Buffer) {
    this.key = key
    this.utf8 = utf8
  }

  get text(): string {
    this.#text ??= decodeUtf8(this.utf8)
    return this.#text
  }
}

/** The text of bytes that are known to be UTF-8. Most records are plain ASCII, which is four times as fast. */
export function decodeUtf8(utf8: Buffer): string {
  return utf8.toString(isAscii(utf8) ? "latin1" : "utf8")
}

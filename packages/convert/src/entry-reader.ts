import type { TextEntry, TextScanOptions } from "@sessile/core/storage"
import { type EntryPages, lastSegment, type SessionKeys, type SessionReader } from "./by-session.js"
import { readPresent, type TextAccess } from "./text-access.js"

/** Gives records as the store gives them. */
export class EntryReader implements SessionReader<readonly TextEntry[]> {
  readonly #access: TextAccess
  readonly #wishes: Pick<TextScanOptions, "onForeign" | "shelf">

  constructor(access: TextAccess, wishes: Pick<TextScanOptions, "onForeign" | "shelf">) {
    this.#access = access
    this.#wishes = wishes
  }

  async *read({ session, keys }: SessionKeys, messages: Set<string>): EntryPages {
    yield await readPresent(this.#access, keys)
    const prefixes: string[][] = []
    for await (const page of this.#access.scanTexts({ prefixes: [["message", session]], ...this.#wishes })) {
      for (const { key } of page) {
        const message = lastSegment(key)
        messages.add(message)
        prefixes.push(["part", message])
      }
      yield page
    }
    if (prefixes.length > 0) yield* this.#access.scanTexts({ prefixes, ...this.#wishes })
  }

  readOthers(pages: EntryPages): EntryPages {
    return pages
  }
}

import { setImmediate as turn } from "node:timers/promises"
import type { TextEntry, TextScanOptions } from "@sessile/core/storage"
import { type EntryPages, lastSegment, type SessionKeys, type SessionReader } from "./by-session.js"
import { SessionPacker } from "./session-packer.js"
import type { SharedShelf } from "./shared-shelf.js"
import type { SourcePage } from "./source-page.js"
import { readPresent, type TextAccess } from "./text-access.js"

type PackedPages = AsyncGenerator<SourcePage, void, void>

/** A page that grows beyond this is handed over before its session has come to an end. */
const LARGEST_PAGE = 32 * 1024 * 1024

/** Packs sessions, each in a page of its own. */
export class WholeReader implements SessionReader<SourcePage> {
  readonly #access: TextAccess
  readonly #shelf: SharedShelf
  readonly #kinds: readonly string[]
  readonly #onForeign: TextScanOptions["onForeign"]

  /** Only records of the kinds come in pages of their owners. */
  constructor(
    access: TextAccess,
    shelf: SharedShelf,
    kinds: readonly string[],
    onForeign: TextScanOptions["onForeign"],
  ) {
    this.#access = access
    this.#shelf = shelf
    this.#kinds = kinds
    this.#onForeign = onForeign
  }

  async *read({ session, keys }: SessionKeys, messages: Set<string>): PackedPages {
    const packer = new SessionPacker(this.#shelf, session)
    for (const entry of await readPresent(this.#access, keys)) packer.take(entry)
    const own: string[] = []
    const folder = this.#access.readFolder?.(["message", session], this.#shelf.shelf)
    if (folder !== undefined) {
      packer.takeFolder("message", session, folder)
      own.push(...folder.ids)
    } else {
      for await (const page of this.#scan([["message", session]])) {
        yield* taken(page, packer)
        for (const { key } of page) own.push(lastSegment(key))
      }
    }
    for (const message of own) messages.add(message)
    yield* this.#parts(own, packer)
    yield packer.turn()
    // Whoever waits for their turn would wait for the end of the store.
    await turn()
  }

  async *readOthers(pages: EntryPages): PackedPages {
    for await (const page of pages) {
      for (const entries of this.#byOwner(page)) {
        const [kind, owner = ""] = (entries[0] as TextEntry).key.split("\0")
        const packer = new SessionPacker(this.#shelf, kind === "message" ? owner : "")
        for (const entry of entries) packer.take(entry)
        yield packer.turn()
      }
    }
  }

  async *#parts(messages: readonly string[], packer: SessionPacker): PackedPages {
    const prefixes: string[][] = []
    for (const message of messages) {
      const folder = this.#access.readFolder?.(["part", message], this.#shelf.shelf)
      if (folder === undefined) prefixes.push(["part", message])
      else packer.takeFolder("part", message, folder)
      if (packer.bytes >= LARGEST_PAGE) yield packer.turn()
    }
    if (prefixes.length === 0) return
    for await (const page of this.#scan(prefixes)) yield* taken(page, packer)
  }

  *#byOwner(page: readonly TextEntry[]): Generator<readonly TextEntry[], void, void> {
    let start = 0
    for (let end = 1; end <= page.length; end++) {
      if (this.#ownerOf(page[end]) === this.#ownerOf(page[start])) continue
      yield page.slice(start, end)
      start = end
    }
  }

  #ownerOf(entry: TextEntry | undefined): string | undefined {
    const [kind = "", owner] = entry?.key.split("\0", 2) ?? []
    return entry && this.#kinds.includes(kind) ? `${kind}\0${owner}` : entry && ""
  }

  #scan(prefixes: readonly string[][]): AsyncIterable<readonly TextEntry[]> {
    return this.#access.scanTexts({ prefixes, onForeign: this.#onForeign, shelf: this.#shelf.shelf })
  }
}

function* taken(page: readonly TextEntry[], packer: SessionPacker): Generator<SourcePage, void, void> {
  for (const entry of page) packer.take(entry)
  if (packer.bytes >= LARGEST_PAGE) yield packer.turn()
}

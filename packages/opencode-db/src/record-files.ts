import {
  decodeKey,
  encodeKey,
  type Key,
  type Range,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
  type TextRecord,
} from "@sessile/core/storage"
import { JsonStorage } from "@sessile/storage-json"
import { rangeOf } from "./key-space.js"

const PAGE_KEYS = 500

/**
 * How far the JSON files are migrated: it describes their layout, and is no part of the history. A database is always of the
 * last form, so that nothing is written for it. Where no file holds it, it is not listed, but reading it returns this.
 */
export const MARKER = { key: "migration", text: "2" } as const

/**
 * The records that have no table, as opencode's JSON files: some kinds are still kept there, and the rest has no
 * better place. The folder is made when the first record is written.
 */
export class RecordFiles {
  readonly #path: string
  #reader: JsonStorage | undefined
  #writer: JsonStorage | undefined

  constructor(path: string) {
    this.#path = path
  }

  async *keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    const files = await this.#reading()
    if (files === undefined) return
    let range = rangeOf(span)
    for (;;) {
      const keys = await files.list([], { ...range, reverse, limit: PAGE_KEYS })
      if (keys.length > 0) yield keys.map(encodeKey)
      if (keys.length < PAGE_KEYS) return
      range = rangeBehind(range, keys.at(-1) as Key, reverse)
    }
  }

  async read(keys: readonly string[]): Promise<readonly (TextEntry | undefined)[]> {
    const files = keys.length === 0 ? undefined : await this.#reading()
    const found = await files?.readTexts(keys)
    return keys.map((key, index) => found?.[index] ?? markerAt(key))
  }

  /** Adds what is not there. Where everything is, as beside the JSON files of a history, nothing is opened. */
  async add(records: readonly TextRecord[]): Promise<readonly (TextEntry | undefined)[]> {
    const keys = records.map(({ key }) => key)
    // Once it is open for writing, adding shows what is there.
    const present = this.#writer === undefined ? await this.read(keys) : keys.map(markerAt)
    const absent = records.filter((_, index) => present[index] === undefined)
    if (absent.length === 0) return present
    const added = (await (await this.#writing()).addTexts(absent)).values()
    return present.map((entry) => entry ?? added.next().value)
  }

  /** Writes and removes in order, one by one. */
  async apply(operations: readonly TextOperation[]): Promise<void> {
    for (const operation of operations) {
      const files = await this.#writing()
      if (operation.type === "write") await files.writeTexts([operation])
      else await files.remove(decodeKey(operation.key))
    }
  }

  async update(key: Key, change: (text: string) => string): Promise<void> {
    await (await this.#writing()).update<object>(key, (draft) => {
      const changed = JSON.parse(change(JSON.stringify(draft, undefined, 2)))
      for (const name of Object.keys(draft)) Reflect.deleteProperty(draft, name)
      if (Array.isArray(draft)) draft.length = 0
      Object.assign(draft, changed)
    })
  }

  async flush(): Promise<void> {
    await this.#writer?.flush()
  }

  async close(): Promise<void> {
    await this.#reader?.close()
    await this.#writer?.close()
  }

  // Reading leaves no trace in the folder, not even that of a lock.
  async #reading(): Promise<JsonStorage | undefined> {
    try {
      this.#reader ??= await JsonStorage.open({ path: this.#path, readonly: true })
      return this.#reader
    } catch (error) {
      if (StorageError.is(error, "NOT_FOUND")) return undefined
      throw error
    }
  }

  async #writing(): Promise<JsonStorage> {
    this.#writer ??= await JsonStorage.open({ path: this.#path })
    return this.#writer
  }
}

function markerAt(key: string): TextEntry | undefined {
  return key === MARKER.key ? MARKER : undefined
}

/** What is left of a range behind a key, in the direction of travel. */
function rangeBehind({ gt, gte, lt, lte }: Range, last: Key, reverse: boolean): Range {
  return reverse ? { gt, gte, lt: last } : { gt: last, lt, lte }
}

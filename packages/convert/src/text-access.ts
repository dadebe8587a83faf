import {
  decodeKey,
  encodeKey,
  type FittedRecord,
  isInShare,
  isTextStorage,
  type Storage,
  StorageError,
  type TextEntry,
  type TextRecord,
  type TextScanOptions,
  type TextStorage,
} from "@sessile/core/storage"

/** The part of a text storage that moving records needs. */
export type TextAccess = Pick<
  TextStorage,
  | "scanTexts"
  | "scanKeys"
  | "readFolder"
  | "readTexts"
  | "addTexts"
  | "writeTexts"
  | "flush"
  | "fit"
  | "settle"
  | "rehearseTexts"
  | "digestLines"
  | "check"
  | "sessionKinds"
  | "fitLines"
  | "addSession"
>

const PAGE_RECORDS = 200

/**
 * The texts of any store. One that knows values only is given what its texts mean, and gives its values as
 * opencode would write them; a text whose value says less than it does is refused by `fit`.
 */
export function textAccess(storage: Storage): TextAccess {
  return isTextStorage(storage) ? storage : new ValueAccess(storage)
}

/** The text of a record that a store gave, without what others change in it at any time. */
export function settle(access: TextAccess, record: TextRecord): string {
  return access.settle?.(record) ?? record.text
}

// What went away since its key was listed is no longer part of the store.
export async function readPresent(access: TextAccess, keys: readonly string[]): Promise<TextEntry[]> {
  const entries = await access.readTexts(keys)
  return entries.filter((entry) => entry !== undefined)
}

class ValueAccess implements TextAccess {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async *scanTexts({
    prefixes = [[]],
    share,
  }: TextScanOptions = {}): AsyncGenerator<TextEntry[], void, void> {
    let page: TextEntry[] = []
    const onCorrupt = (error: StorageError) => {
      page.push({ key: encodeKey(error.key ?? []), error })
    }
    for await (const { key, value } of this.#storage.scanMany(prefixes, { onCorrupt })) {
      page.push({ key: encodeKey(key), text: textOf(value) })
      if (page.length < PAGE_RECORDS) continue
      yield page.filter((entry) => share === undefined || isInShare(share, entry.key))
      page = []
    }
    yield page.filter((entry) => share === undefined || isInShare(share, entry.key))
  }

  async *scanKeys({ prefixes = [[]], share }: TextScanOptions = {}): AsyncGenerator<string[], void, void> {
    for (const prefix of prefixes) {
      const keys = (await this.#storage.list(prefix)).map(encodeKey)
      yield keys.filter((key) => share === undefined || isInShare(share, key))
    }
  }

  async readTexts(keys: readonly string[]): Promise<(TextEntry | undefined)[]> {
    const entries: (TextEntry | undefined)[] = []
    for (const key of keys) entries.push(await this.#read(key))
    return entries
  }

  async addTexts(records: readonly TextRecord[]): Promise<(TextEntry | undefined)[]> {
    const present = await this.readTexts(records.map(({ key }) => key))
    await this.writeTexts(records.filter((_, position) => present[position] === undefined))
    return present
  }

  async writeTexts(records: readonly TextRecord[]): Promise<void> {
    const operations = records.map(({ key, text }) => {
      return { type: "write", key: decodeKey(key), value: JSON.parse(withoutMark(text)) } as const
    })
    await this.#storage.batch(operations)
  }

  async check(): Promise<readonly string[]> {
    return []
  }

  async flush(): Promise<void> {
    // The contract knows nothing stronger than a resolved write.
  }

  fit({ text }: TextRecord): FittedRecord {
    const value: unknown = JSON.parse(withoutMark(text))
    if (withoutSpace(withoutMark(text)) !== JSON.stringify(value)) {
      const reason =
        "The record has numbers, escapes or repeated properties that this store would write differently"
      return { refused: reason }
    }
    return { text: textOf(value), lost: [] }
  }

  async #read(key: string): Promise<TextEntry | undefined> {
    try {
      return { key, text: textOf(await this.#storage.read(decodeKey(key))) }
    } catch (error) {
      if (StorageError.is(error, "NOT_FOUND")) return undefined
      if (StorageError.is(error)) return { key, error }
      throw error
    }
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}

/** A JSON text without the white space between its tokens. */
export function withoutSpace(text: string): string {
  const kept: string[] = []
  let start = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (quoted && character === "\\") index++
    else if (character === '"') quoted = !quoted
    else if (!quoted && " \t\n\r".includes(character)) {
      kept.push(text.slice(start, index))
      start = index + 1
    }
  }
  return kept.join("") + text.slice(start)
}

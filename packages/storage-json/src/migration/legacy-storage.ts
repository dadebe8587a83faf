import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  AbstractStorage,
  checkOptions,
  compareUtf8,
  type ForeignFile,
  type IndexDefinition,
  isInShare,
  type Selection,
  type Span,
  StorageError,
  type TextEntry,
  type Wish,
} from "@sessile/core/storage"
import { inPages } from "../pages.js"
import { readText, toEntry } from "../read-text.js"
import { Slice, turn } from "../slices.js"
import { hasCode, storageFault } from "../storage-fault.js"
import { LegacyCatalogue } from "./legacy-catalogue.js"
import type { VersionOneRecord } from "./legacy-project.js"
import type { MigratedProject, MigrationRemark } from "./migration-report.js"

/** How to open a {@link LegacyStorage}. */
export interface LegacyStorageOptions {
  /** opencode's data folder, in which `project` holds the legacy layout. */
  readonly path: string
  /** The ids of sessions to leave out, with their messages and parts: those that are in the current layout already. */
  readonly without?: ReadonlySet<string> | undefined
  /** The indexes that `find` knows; `standardIndexes` by default. */
  readonly indexes?: readonly IndexDefinition[] | undefined
}

/**
 * The legacy layout of opencode up to 0.6, for reading: its records as `migrate` would write them, under the same
 * keys and with the same texts, without a byte being written. It shows the files that were there when it was opened.
 *
 * @example
 * ```ts
 * const storage = await LegacyStorage.open({ path: opencodePaths().data })
 * for await (const page of storage.scanTexts()) console.log(page.length)
 * ```
 */
export class LegacyStorage extends AbstractStorage {
  readonly capabilities = {
    durable: true,
    atomicBatch: false,
    multiProcess: true,
    snapshots: false,
    checksums: false,
  } as const
  /** The projects, with the ids they got, and why the real one of some could not be found. */
  readonly projects: readonly MigratedProject[]
  /** What a person may want to look at. */
  readonly remarks: readonly MigrationRemark[]
  readonly #foreign: readonly ForeignFile[]
  readonly #records: ReadonlyMap<string, VersionOneRecord>
  readonly #keys: readonly string[]
  readonly #slice = new Slice()

  private constructor(catalogue: LegacyCatalogue, options: LegacyStorageOptions) {
    super({ readonly: true, indexes: options.indexes, indent: 2 })
    this.projects = catalogue.projects
    this.remarks = catalogue.remarks
    this.#foreign = [...catalogue.foreignFiles, ...notesOn(catalogue, join(options.path, "project"))]
    this.#records = catalogue.records
    this.#keys = [...catalogue.records.keys()].sort(compareUtf8)
  }

  /**
   * Reads the sessions, and of the messages as many as tell where each session was at work.
   *
   * @throws StorageError `NOT_FOUND` where there is no legacy layout, `INVALID_ARGUMENT` for bad options, `DENIED`
   */
  static async open(options: LegacyStorageOptions): Promise<LegacyStorage> {
    checkOptions("LegacyStorage", options, { path: "string", without: "object?", indexes: "array?" })
    const path = resolve(options.path)
    await requireFolder(join(path, "project"))
    return new LegacyStorage(await LegacyCatalogue.of(path, options.without ?? new Set()), options)
  }

  protected async _read(key: string): Promise<string | undefined> {
    const record = this.#records.get(key)
    if (record === undefined) return undefined
    const text = record.text ?? (await readText(key, record.source))
    if (this.#slice.isFullWith(text?.length)) await turn()
    return text
  }

  protected override async _readMany(keys: readonly string[]): Promise<(TextEntry | undefined)[]> {
    const entries: (TextEntry | undefined)[] = []
    for (const key of keys) entries.push(await this.#readEntry(key))
    return entries
  }

  protected _keys(span: Span, reverse: boolean, { onForeign }: Wish = {}): AsyncIterable<string[]> {
    for (const file of this.#foreign) onForeign?.(file)
    return inPages(this.#keysWithin(span, reverse), (key) => key)
  }

  protected override _entries(selection: Selection): AsyncGenerator<TextEntry[]> {
    const { spans, reverse, limit, share, onForeign } = selection
    for (const file of this.#foreign) onForeign?.(file)
    const keys = spans.flatMap((span) => this.#keysWithin(span, reverse))
    const wanted = share === undefined ? keys : keys.filter((key) => isInShare(share, key))
    return inPages(wanted, (key) => this.#readEntry(key), limit)
  }

  protected override _locate(key: string): string | undefined {
    return this.#records.get(key)?.source
  }

  // The base refuses changes to a store that is opened for reading before it comes to these two.
  protected _write(): Promise<void> {
    throw new StorageError("READONLY", "The legacy layout is for reading only")
  }

  protected _remove(): Promise<void> {
    return this._write()
  }

  async #readEntry(key: string): Promise<TextEntry | undefined> {
    const record = this.#records.get(key)
    return record && toEntry(key, record.source, this._read(key))
  }

  #keysWithin(span: Span, reverse: boolean): string[] {
    const start = this.#positionOf(span.gte)
    const keys = this.#keys.slice(start, span.lt === undefined ? undefined : this.#positionOf(span.lt))
    return reverse ? keys.reverse() : keys
  }

  /** How many keys come before a bound. */
  #positionOf(bound: string): number {
    let [low, high] = [0, this.#keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareUtf8(this.#keys[middle] as string, bound) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** What a person may want to look at, told along with the files that are no records. */
function notesOn({ remarks, projects }: LegacyCatalogue, legacy: string): ForeignFile[] {
  const unidentified = projects.filter((project) => project.unidentified !== undefined)
  return [
    ...remarks.map(({ path, remark }) => ({ path, reason: remark })),
    ...unidentified.map(({ folder, unidentified: reason }) => ({
      path: join(legacy, folder),
      reason: `its sessions are in the project global: ${reason}`,
    })),
  ]
}

async function requireFolder(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR")) throw storageFault("open the legacy store", error, path)
  }
  throw new StorageError("NOT_FOUND", "There is no legacy store here", { path })
}

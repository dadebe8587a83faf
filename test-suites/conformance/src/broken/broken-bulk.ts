import {
  MemoryStorage,
  parseText,
  StorageError,
  type TextEntry,
  type TextRecord,
  type TextStorage,
} from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { alteredBulk } from "./fault.js"

/** Faults in how records are read, added and written together. */
export const brokenBulk: readonly BrokenAdapter[] = [
  bulkFault(
    "absent records are left out of what is read together",
    ["bulk/read-order"],
    class extends MemoryStorage {
      override async readTexts(keys: readonly string[]) {
        return (await super.readTexts(keys)).filter((entry) => entry !== undefined)
      }
    },
  ),
  bulkFault(
    "adding stops at the first record that is present",
    ["bulk/add-only"],
    class extends MemoryStorage {
      protected override async _add(
        records: readonly TextRecord[],
      ): Promise<readonly (TextEntry | undefined)[]> {
        const present = await this._readMany(records.map(({ key }) => key))
        const end = present.findIndex((entry) => entry !== undefined)
        await super._add(end < 0 ? records : records.slice(0, end))
        return present
      }
    },
  ),
  bulkFault(
    "writing together leaves alone what is there",
    ["bulk/write-replaces"],
    class extends MemoryStorage {
      override async writeTexts(records: readonly TextRecord[]) {
        await this.addTexts(records)
      }
    },
  ),
  bulkFault(
    "texts that are added become compact",
    ["bulk/exact-texts"],
    class extends MemoryStorage {
      override addTexts(records: readonly TextRecord[]) {
        const compact = records.map(({ key, text }) => ({ key, text: JSON.stringify(JSON.parse(text)) }))
        return super.addTexts(compact)
      }
    },
  ),
  bulkFault(
    "records are read together from a closed store too",
    ["bulk/closed"],
    class extends MemoryStorage {
      override readTexts(keys: readonly string[]) {
        return this._readMany(keys)
      }
    },
  ),
  bulkFault(
    "each shard of a bulk scan lacks its last record",
    ["bulk/scan"],
    class extends MemoryStorage {
      override async *scanTexts(options: Parameters<MemoryStorage["scanTexts"]>[0] = {}) {
        for await (const page of super.scanTexts(options))
          yield options.share === undefined ? page : page.slice(0, -1)
      }
    },
  ),
  {
    name: "one damaged record spoils all that are read together",
    caughtBy: ["bulk/damaged-neighbours"],
    over: "files",
    wrap: (sound) =>
      alteredBulk(sound as TextStorage, {
        readTexts: async (keys) => readOrThrow(await (sound as TextStorage).readTexts(keys)),
      }),
  },
  {
    name: "adding replaces damaged records",
    caughtBy: ["bulk/damaged-neighbours"],
    over: "files",
    wrap: (sound) =>
      alteredBulk(sound as TextStorage, {
        addTexts: async (records) => {
          const present = await (sound as TextStorage).addTexts(records)
          const isDamaged = (entry: TextEntry | undefined) =>
            entry !== undefined && "text" in entry && "flaw" in parseText(entry.text)
          const damaged = records.filter((_, position) => isDamaged(present[position]))
          await (sound as TextStorage).writeTexts(damaged)
          return present
        },
      }),
  },
]

function readOrThrow<T extends TextEntry | undefined>(entries: readonly T[]): readonly T[] {
  for (const entry of entries) {
    if (entry === undefined || "error" in entry || !("flaw" in parseText(entry.text))) continue
    throw new StorageError("CORRUPT", "A record is no JSON")
  }
  return entries
}

function bulkFault(name: string, caughtBy: readonly string[], Storage: typeof MemoryStorage): BrokenAdapter {
  return { name, caughtBy, over: "memory", wrap: () => new Storage() }
}

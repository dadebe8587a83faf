import type { TextEntry } from "@sessile/core/storage"

/** What one page of a scan may hold: enough to be fast, little enough to fit anywhere. */
export const PAGE_RECORDS = 500
const PAGE_CHARACTERS = 4 * 1024 * 1024

/** Records that are handed over together. */
export class Page {
  readonly entries: TextEntry[] = []
  #characters = 0

  add(entry: TextEntry): void {
    this.entries.push(entry)
    this.#characters += "error" in entry ? 0 : (entry.utf8?.length ?? entry.text.length)
  }

  isFull(): boolean {
    return this.entries.length >= PAGE_RECORDS || this.#characters >= PAGE_CHARACTERS
  }
}

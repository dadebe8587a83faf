import type { TextEntry } from "@sessile/core/storage"
import { Slice, turn } from "./slices.js"

/**
 * What `load` makes of each item, `undefined` aside, in pages that are small in number, at most `limit`, and in size.
 * Everybody else gets a turn after each, however many items came to nothing.
 */
export async function* inPages<Item, Loaded extends string | TextEntry>(
  items: Iterable<Item>,
  load: (item: Item) => Loaded | undefined | Promise<Loaded | undefined>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Loaded[], void, void> {
  const slice = new Slice()
  let page: Loaded[] = []
  for (const item of items) {
    const loading = load(item)
    // Waiting for what is there already is most of the price of a small record.
    const loaded = loading instanceof Promise ? await loading : loading
    if (loaded !== undefined) page.push(loaded)
    if (!slice.isFullWith(lengthOf(loaded)) && page.length < limit) continue
    if (page.length > 0) yield page
    page = []
    await turn()
  }
  if (page.length > 0) yield page
}

/** About how many characters were read. */
export function lengthOf(loaded: string | TextEntry | undefined): number {
  if (typeof loaded !== "object" || "error" in loaded) return 0
  return loaded.utf8?.length ?? loaded.text.length
}

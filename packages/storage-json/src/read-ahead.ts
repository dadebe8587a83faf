/**
 * Loads items while earlier ones are being used, at most `window` at a time, and gives them in order. `load`
 * must not reject: what was loaded ahead may never be asked for.
 */
export async function* readAhead<Item, Loaded>(
  items: AsyncIterable<Item>,
  window: number,
  load: (item: Item) => Promise<Loaded>,
): AsyncGenerator<Loaded, void, void> {
  const pending: Promise<Loaded>[] = []
  for await (const item of items) {
    pending.push(load(item))
    if (pending.length >= window) yield (await pending.shift()) as Loaded
  }
  for (const loaded of pending) yield await loaded
}

/** How many bytes an iterator reads at once, so that large records do not fill the memory. */
export const CHUNK_BYTES = 256 * 1024

/** The part of a LevelDB iterator that is needed here. */
export interface ChunkSource<T> {
  nextv(size: number): Promise<T[]>
  close(): Promise<void>
}

/** What an iterator gives, up to `size` at a time, and closes it in the end, come what may. */
export async function* chunks<T>(source: ChunkSource<T>, size: number): AsyncGenerator<T[], void, void> {
  try {
    for (let chunk = await source.nextv(size); chunk.length > 0; chunk = await source.nextv(size)) yield chunk
  } finally {
    await source.close()
  }
}

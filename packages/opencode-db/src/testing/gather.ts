/** All that an iteration gives. */
export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

/** All that an iteration of pages gives. */
export async function gatherPages<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  return (await gather(pages)).flat()
}

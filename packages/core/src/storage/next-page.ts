/** The next page with something in it, however many empty ones come before: one step, which closing waits for. */
export async function nextPage<T>(pages: AsyncIterator<readonly T[]>): Promise<IteratorResult<readonly T[]>> {
  for (;;) {
    const page = await pages.next()
    if (page.done || page.value.length > 0) return page
  }
}

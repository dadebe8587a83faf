import { compareUtf8, type TextRecord } from "@sessile/core/storage"
import { PAGE_BYTES, type Page, type PageQuery } from "./engine.js"

/** Records in the order of their keys. */
export class Table {
  readonly #texts: Map<string, string>
  readonly #sorted: string[]
  /** Whether somebody goes on reading it as it is: changes belong into a copy. */
  isFrozen = false

  constructor(texts = new Map<string, string>(), sorted: string[] = []) {
    this.#texts = texts
    this.#sorted = sorted
  }

  copy(): Table {
    return new Table(new Map(this.#texts), [...this.#sorted])
  }

  get(key: string): string | undefined {
    return this.#texts.get(key)
  }

  set(key: string, text: string | undefined): void {
    const isPresent = this.#texts.has(key)
    if (text === undefined) {
      if (isPresent) this.#sorted.splice(this.#position(key), 1)
      this.#texts.delete(key)
      return
    }
    if (!isPresent) this.#sorted.splice(this.#position(key), 0, key)
    this.#texts.set(key, text)
  }

  all(): TextRecord[] {
    return this.#sorted.map((key) => ({ key, text: this.#texts.get(key) as string }))
  }

  page({ spans, reverse, after, count }: PageQuery): Page {
    const rows: TextRecord[] = []
    let bytes = 0
    for (const { gte, lt } of spans) {
      let start = this.#position(gte)
      let end = lt === undefined ? this.#sorted.length : this.#position(lt)
      if (after !== undefined && reverse) end = Math.min(end, this.#position(after))
      if (after !== undefined && !reverse) start = Math.max(start, this.#position(`${after}\0`))
      for (let left = end - start; left > 0; left--) {
        if (rows.length === count || bytes > PAGE_BYTES) return { rows, more: true }
        const key = this.#sorted[reverse ? start + left - 1 : end - left] as string
        const text = this.#texts.get(key) as string
        bytes += text.length
        rows.push({ key, text })
      }
    }
    return { rows, more: false }
  }

  /** How many keys sort before this one. */
  #position(key: string): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareUtf8(this.#sorted[middle] as string, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

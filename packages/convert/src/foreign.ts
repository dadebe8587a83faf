import type { ForeignFile } from "@sessile/core/storage"

/** Gathers what is no record. Readers that share the work may come upon the same file. */
export class Foreign {
  readonly #reasons = new Map<string, string>()

  add({ path, reason }: ForeignFile): void {
    this.#reasons.set(path, reason)
  }

  result(): ForeignFile[] {
    const paths = [...this.#reasons.keys()].sort()
    return paths.map((path) => ({ path, reason: this.#reasons.get(path) as string }))
  }
}

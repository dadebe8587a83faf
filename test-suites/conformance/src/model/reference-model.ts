import type { Key } from "@sessile/core/storage"
import type { Step, StepRange } from "./step.js"

/** What a step gives: a value, keys, records, or the code of the error. */
export type Result = unknown

/**
 * The simplest thing that behaves as the contract says: a list of records that is searched and sorted anew
 * every time. It shares no code with any adapter.
 */
export class ReferenceModel {
  #records: { readonly key: Key; readonly text: string }[] = []

  apply(step: Step): Result {
    switch (step.do) {
      case "read":
        return this.#has(step.key) ? this.#valueOf(step.key) : "NOT_FOUND"
      case "write":
        return this.#write(step.key, step.value)
      case "update":
        return this.#update(step.key, step.add)
      case "remove":
        return this.#remove(step.key)
      case "list":
        return this.#select([step.prefix], step.range).map(({ key }) => key)
      case "scan":
        return this.#select(step.prefixes, step.range).map(({ key, text }) => ({
          key,
          value: JSON.parse(text),
        }))
      case "batch":
        for (const operation of step.operations) {
          if (operation.type === "write") this.#write(operation.key, operation.value)
          else this.#remove(operation.key)
        }
        return undefined
      case "reopen":
        return undefined
    }
  }

  #has(key: Key): boolean {
    return this.#records.some((candidate) => same(candidate.key, key))
  }

  #valueOf(key: Key): unknown {
    return JSON.parse(this.#records.find((candidate) => same(candidate.key, key))?.text as string)
  }

  #write(key: Key, value: unknown): undefined {
    this.#remove(key)
    this.#records.push({ key, text: JSON.stringify(value) })
  }

  #update(key: Key, add: number): Result {
    if (!this.#has(key)) return "NOT_FOUND"
    const value = this.#valueOf(key)
    addTo(value, add)
    this.#write(key, value)
    return value
  }

  #remove(key: Key): undefined {
    this.#records = this.#records.filter((candidate) => !same(candidate.key, key))
  }

  #select(prefixes: readonly Key[], range: StepRange) {
    const below = (prefix: Key, key: Key) =>
      key.length > prefix.length && same(key.slice(0, prefix.length), prefix)
    const chosen = this.#records
      .filter(({ key }) => prefixes.some((prefix) => below(prefix, key)))
      .filter(({ key }) => range.gt === undefined || compare(key, range.gt) > 0)
      .filter(({ key }) => range.gte === undefined || compare(key, range.gte) >= 0)
      .filter(({ key }) => range.lt === undefined || compare(key, range.lt) < 0)
      .filter(({ key }) => range.lte === undefined || compare(key, range.lte) <= 0)
      .sort((a, b) => compare(a.key, b.key))
    if (range.reverse) chosen.reverse()
    return chosen.slice(0, range.limit)
  }
}

/** What the editor of an update does to any value that can be changed in place. */
export function addTo(draft: unknown, add: number): void {
  if (Array.isArray(draft)) draft.push(add)
  else if (typeof draft === "object" && draft !== null) Object.assign(draft, { added: add })
}

function same(a: Key, b: Key): boolean {
  return a.length === b.length && a.every((segment, index) => segment === b[index])
}

function compare(a: Key, b: Key): number {
  for (const [index, segment] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = Buffer.compare(Buffer.from(segment), Buffer.from(other))
    if (order !== 0) return order
  }
  return a.length - b.length
}

import { formatAddress } from "../stores/store-address.js"
import type { StorePart } from "../stores/store-kind.js"
import { formatCount, formatCountOf } from "./figures.js"

/** A store that is part of another one, for machines. */
export interface PartReport {
  readonly store: string
  readonly sessions: number
  /** How many of them no part before it has. */
  readonly added: number
}

export function partReport({ address, sessions, added }: StorePart): PartReport {
  return { store: formatAddress(address), sessions, added }
}

/** The same for people. */
export function partLine({ store, sessions, added }: PartReport): string {
  const again = added === sessions ? "" : `, ${formatCount(sessions - added)} of them also above`
  return `${store}: ${formatCountOf(sessions, "session")}${again}`
}

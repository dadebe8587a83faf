import { historyKind } from "./history-kind.js"
import { jsonKind } from "./json-kind.js"
import { levelKind } from "./level-kind.js"
import { opencodeKind } from "./opencode-kind.js"
import { sqliteKind } from "./sqlite-kind.js"
import type { StoreKind } from "./store-kind.js"

/** The kinds of stores that the program knows, by the name that their addresses start with. */
export const storeKinds: ReadonlyMap<string, StoreKind> = new Map([
  // A data folder has JSON files too.
  ["history", historyKind],
  ["json", jsonKind],
  ["opencode", opencodeKind],
  ["sqlite", sqliteKind],
  ["level", levelKind],
])

/** A kind that an address names. */
export function storeKind(name: string): StoreKind {
  const kind = storeKinds.get(name)
  if (kind === undefined) throw new Error(`Unknown kind of store ${name}`)
  return kind
}

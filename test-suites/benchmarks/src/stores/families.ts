import { betterSqlite } from "./better-sqlite.js"
import { classicLevel } from "./classic-level.js"
import { keyvSqlite } from "./keyv.js"
import { nodeFs } from "./node-fs.js"
import { jsonStorage, levelStorage, sqliteStorage } from "./sessile.js"
import type { StoreKind } from "./store.js"
import { unstorage } from "./unstorage.js"

/** An engine by hand, and what stands on top of it. */
export interface Family {
  readonly engine: StoreKind
  readonly ours: StoreKind
  readonly peer?: StoreKind
}

export const families: readonly Family[] = [
  { engine: nodeFs, ours: jsonStorage, peer: unstorage },
  { engine: betterSqlite, ours: sqliteStorage, peer: keyvSqlite },
  { engine: classicLevel, ours: levelStorage },
]

/** All stores, by family. */
export const storeKinds: readonly StoreKind[] = families.flatMap(({ engine, ours, peer }) =>
  peer === undefined ? [engine, ours] : [engine, ours, peer],
)

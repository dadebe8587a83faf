import type { Storage } from "@sessile/core/storage"

/** Where a harness puts one store. */
export interface Place {
  /** An empty folder for this store alone. Stores that live elsewhere can make a name from it. */
  readonly folder: string
}

/** How to open a store that is there already. */
export interface ReopenOptions {
  /** Open it for reading only. A harness that cannot do so rejects with `UNSUPPORTED`. */
  readonly readonly: boolean
}

/** How a store is made to fail. */
export interface BreakDownOptions {
  /**
   * How many more requests to the engine succeed before all further ones fail. A page of an iteration and a part of a
   * batch are one request each.
   */
  readonly after: number
}

/**
 * How the suite gets at a backend. It lives in a module of its own that exports it as `harness`, because other
 * processes import that module too: whatever distinguishes one store from another must come from the place.
 *
 * @example
 * ```ts
 * export const harness: Harness = {
 *   name: "my-storage",
 *   module: import.meta.url,
 *   create: ({ folder }) => MyStorage.open({ path: folder }),
 *   reopen: ({ folder }, { readonly }) => MyStorage.open({ path: folder, readonly }),
 * }
 * ```
 */
export interface Harness {
  readonly name: string
  /** The address of the module that exports this harness: `import.meta.url`. */
  readonly module: string
  /** Opens a new, empty store. */
  create(place: Place): Promise<Storage>
  /** Opens the store that `create` made at this place, in this process or in another. Durable stores need it. */
  reopen?(place: Place, options: ReopenOptions): Promise<Storage>
  /** Removes what lies outside the folder, which the suite removes itself. */
  destroy?(place: Place): Promise<void>
  /**
   * Makes the engine behind the store fail, as a lost connection or a broken disk does, and resolves with what mends
   * it. What was acknowledged before must be there afterwards. Without it the contracts about failures of the engine
   * are skipped.
   */
  breakDown?(place: Place, options: BreakDownOptions): Promise<() => Promise<void>>
  /**
   * How much the stores of this process hold open for one place beyond their connections: cursors, transactions,
   * statements. Without it the suite counts open files in the folder (Linux).
   */
  openResources?(place: Place): Promise<number>
}

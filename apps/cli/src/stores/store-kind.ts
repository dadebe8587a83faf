import type { ConflictPolicy } from "@sessile/convert"
import type { Storage } from "@sessile/core/storage"
import type { OpencodeSchema } from "@sessile/opencode-db"
import type { Findings } from "./findings.js"
import type { StoreAddress } from "./store-address.js"

/** One kind of store that the program knows: whatever it does differently for it is here. */
export interface StoreKind {
  /** What it is, in a few words. */
  readonly description: string
  readonly medium: "file" | "folder"
  /** The paths of new files that are to become a store of this kind. */
  readonly newFile?: RegExp
  /** Whether one argument alone names the source; a kind that people convert into leaves that out. */
  readonly isUsuallySource?: boolean
  /** Whether one argument alone names the source when there is a store: one that nobody wants to write to by mistake. */
  readonly isSourceIfPresent?: boolean
  /** How many threads divide the reading; with none, it happens in the main thread. */
  readonly threads: number
  /** Whether it gives some records back in another form than it was given them. */
  readonly altersRecords?: boolean
  /** What to do about conflicts in a target by default; `"newer"` for most, so that a backup can be repeated. */
  readonly onConflict?: ConflictPolicy
  /** Whether what lies at a path is a store of this kind. */
  recognises(findings: Findings): Promise<boolean>
  /** Loads what opening takes, for whoever has to wait for something else anyway. */
  load?(): Promise<unknown>
  /** Opens a store so that nothing of it changes. */
  openForReading(path: string): Promise<Storage>
  /** Opens a store, and makes it if it is missing. A kind without it can only be read. */
  openForWriting?(path: string, onWait?: (waited: number) => void): Promise<Target>
  /** The stores that a store of this kind is made of, in the order in which their records count. */
  parts?(path: string): Promise<readonly StorePart[]>
  /** A target for looking only, also one that is not there yet: by default what is read there, or nothing. */
  preview?(path: string): Promise<Target>
  /** Makes a damaged store readable again, in place; returns how many records it has then, and what was lost. */
  repair?(path: string): Promise<{ readonly records: number; readonly losses: readonly string[] }>
  /** The layout and its version, as far as a look from outside tells. */
  describe(path: string): Promise<StoreDescription>
  /** A command that shows what a store holds. */
  lookCommand?(path: string): string
}

/** A store that is part of another one. */
export interface StorePart {
  readonly address: StoreAddress
  /** How many sessions it has. */
  readonly sessions: number
  /** How many of them no part before it has. */
  readonly added: number
}

/** A store that is to be written, with the care that it takes. */
export interface Target {
  readonly storage: Storage
  /** What people should know before anything is written. */
  readonly warnings?: readonly string[]
  /** Copies the store as it is, and gives the place of the copy. A new store has nothing to copy. */
  backUp?(): Promise<string>
}

/** How a store is laid out. */
export interface StoreDescription {
  readonly layout: string
  /** The marker of opencode's files, or the version of the schema. */
  readonly version?: number | undefined
  /** What is known of the tables of opencode's own database. */
  readonly schema?: OpencodeSchema | undefined
}

import type { Storage } from "@sessile/core/storage"
import type { Findings } from "./findings.js"

/** One kind of store that the program knows: whatever it does differently for it is here. */
export interface StoreKind {
  /** What it is, in a few words. */
  readonly description: string
  readonly medium: "file" | "folder"
  /** The endings by which the name of a new file tells that it is to become a store of this kind. */
  readonly extensions: readonly string[]
  /** Whether one argument alone names the source; a kind that people convert into leaves that out. */
  readonly isUsuallySource?: boolean
  /** How many threads divide the reading; with none, it happens in the main thread. */
  readonly threads: number
  /** Whether what lies at a path is a store of this kind. */
  recognises(findings: Findings): Promise<boolean>
  /** Opens a store so that nothing of it changes. */
  openForReading(path: string): Promise<Storage>
  openForWriting(path: string): Promise<Storage>
  /** The layout and its version, as far as a look from outside tells. */
  describe(path: string): Promise<StoreDescription>
  /** Files in the tree of a store that are no records. */
  otherFiles?(path: string): Promise<readonly OtherFile[]>
  /** A command that shows what a store holds. */
  lookCommand?(path: string): string
}

/** How a store is laid out. */
export interface StoreDescription {
  readonly layout: string
  /** The marker of opencode's files, or the version of the schema. */
  readonly version?: number | undefined
}

/** A file in the tree of a store that is no record. */
export interface OtherFile {
  readonly path: string
  readonly reason: string
}

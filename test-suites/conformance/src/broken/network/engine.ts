import type { IndexQuery, Span, TextOperation, TextRecord } from "@sessile/core/storage"

/** Most records of a page, and most operations of a request. */
export const PAGE = 1_000

/** Most spans of a request. */
export const SPANS = 100

/** Most bytes of a page, as far as more than one record is in it. */
export const PAGE_BYTES = 1_000_000

/** Most cursors that a server holds open. */
export const CURSORS = 50

/** A failure as the driver of a database reports it: nothing that a caller of a store should see. */
export class EngineError extends Error {
  override readonly name = "EngineError"
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Some of the records that a query selects, and whether there are more. */
export interface Page {
  readonly rows: readonly TextRecord[]
  readonly more: boolean
}

/** Asks for the records of some spans, in the direction of travel, from where an earlier page ended. */
export interface PageQuery {
  readonly spans: readonly Span[]
  readonly reverse: boolean
  readonly after?: string | undefined
  readonly count: number
}

/** What a cursor goes through: spans of records, or what an index selects. */
export type CursorQuery =
  | { readonly spans: readonly Span[]; readonly reverse: boolean }
  | { readonly index: string; readonly query: IndexQuery }

/** What one connection can ask of the server. Every call is one round trip, and may fail with an `EngineError`. */
export interface Engine {
  get(key: string): Promise<string | undefined>
  /** The records under these keys, in the order of the store. */
  getMany(keys: readonly string[]): Promise<readonly TextRecord[]>
  page(query: PageQuery): Promise<Page>
  /** A cursor shows the moment in which it was opened. */
  openCursor(query: CursorQuery): Promise<number>
  fetch(cursor: number, count: number): Promise<Page>
  closeCursor(cursor: number): Promise<void>
  /** Carries operations out as one transaction. */
  apply(operations: readonly TextOperation[]): Promise<void>
  begin(): Promise<number>
  /** Waits until no other transaction has changed or locked these records. */
  lock(transaction: number, keys: readonly string[]): Promise<void>
  put(transaction: number, operations: readonly TextOperation[]): Promise<void>
  /** Adds the records whose keys are free; the records that were in the way, in the order of the store. */
  add(transaction: number, records: readonly TextRecord[]): Promise<readonly TextRecord[]>
  commit(transaction: number): Promise<void>
  rollback(transaction: number): Promise<void>
}

/** An engine at the other end of a wire. */
export function overWire(send: (method: keyof Engine, parameters: unknown[]) => Promise<unknown>): Engine {
  const call =
    (method: keyof Engine) =>
    (...parameters: unknown[]) =>
      send(method, parameters)
  return new Proxy({} as Engine, { get: (_, method) => call(method as keyof Engine) })
}

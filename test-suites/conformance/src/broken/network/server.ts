import { setImmediate as roundTrip } from "node:timers/promises"
import type { TextOperation, TextRecord } from "@sessile/core/storage"
import {
  CURSORS,
  type CursorQuery,
  type Engine,
  EngineError,
  overWire,
  type Page,
  type PageQuery,
} from "./engine.js"
import { indexRows } from "./index-rows.js"
import { Table } from "./table.js"
import { RowLocks, Transaction } from "./transactions.js"

/** A database server in memory, as a networked adapter meets it. */
export class NetworkServer {
  table = new Table()
  readonly locks = new RowLocks()
  readonly #sessions = new Set<Session>()
  #requestsLeft = Number.POSITIVE_INFINITY

  /** A new connection; each request takes a turn of the event loop. */
  connect(): { readonly engine: Engine; readonly disconnect: () => void } {
    const session = this.openSession()
    this.#sessions.add(session)
    const engine = overWire(async (method, parameters) => {
      await roundTrip()
      if (this.#requestsLeft <= 0) {
        session.drop()
        throw new EngineError("ECONNRESET", "connection terminated unexpectedly")
      }
      this.#requestsLeft--
      return (session[method] as (...given: unknown[]) => Promise<unknown>).apply(session, parameters)
    })
    const disconnect = () => {
      session.drop()
      this.#sessions.delete(session)
    }
    return { engine, disconnect }
  }

  /** Lets this many more requests succeed, and fails all further ones. */
  breakDown(after: number): void {
    this.#requestsLeft = after
  }

  mend(): void {
    this.#requestsLeft = Number.POSITIVE_INFINITY
  }

  /** How many cursors and transactions are open. */
  get openResources(): number {
    let count = 0
    for (const session of this.#sessions) count += session.openResources
    return count
  }

  get cursorCount(): number {
    let count = 0
    for (const session of this.#sessions) count += session.cursorCount
    return count
  }

  protected openSession(): Session {
    return new Session(this)
  }

  commit(changes: ReadonlyMap<string, string | undefined>): void {
    if (this.table.isFrozen) this.table = this.table.copy()
    for (const [key, text] of changes) this.table.set(key, text)
  }
}

/** What the server holds for one connection. */
export class Session implements Engine {
  protected readonly server: NetworkServer
  readonly #cursors = new Map<number, (count: number) => Page>()
  readonly #transactions = new Map<number, Transaction>()
  #last = 0

  constructor(server: NetworkServer) {
    this.server = server
  }

  get openResources(): number {
    return this.#cursors.size + this.#transactions.size
  }

  get cursorCount(): number {
    return this.#cursors.size
  }

  drop(): void {
    this.#cursors.clear()
    for (const transaction of this.#transactions.values()) this.server.locks.release(transaction)
    this.#transactions.clear()
  }

  async get(key: string): Promise<string | undefined> {
    return this.server.table.get(key)
  }

  async getMany(keys: readonly string[]): Promise<readonly TextRecord[]> {
    return [...new Set(keys)].sort().flatMap((key) => {
      const text = this.server.table.get(key)
      return text === undefined ? [] : [{ key, text }]
    })
  }

  async page(query: PageQuery): Promise<Page> {
    return this.server.table.page(query)
  }

  async openCursor(query: CursorQuery): Promise<number> {
    if (this.server.cursorCount >= CURSORS) throw new EngineError("53400", "too many open cursors")
    const { table } = this.server
    table.isFrozen = true
    const id = ++this.#last
    if ("spans" in query) {
      let after: string | undefined
      this.#cursors.set(id, (count) => {
        const page = table.page({ ...query, after, count })
        after = page.rows.at(-1)?.key ?? after
        return page
      })
      return id
    }
    const rows = indexRows(table.all(), query.index, query.query)
    this.#cursors.set(id, (count) => ({ rows: rows.splice(0, count), more: rows.length > 0 }))
    return id
  }

  async fetch(cursor: number, count: number): Promise<Page> {
    const next = this.#cursors.get(cursor)
    if (next === undefined) throw new EngineError("34000", "there is no such cursor")
    return next(count)
  }

  async closeCursor(cursor: number): Promise<void> {
    this.#cursors.delete(cursor)
  }

  async apply(operations: readonly TextOperation[]): Promise<void> {
    const transaction = await this.begin()
    try {
      await this.put(transaction, operations)
      await this.commit(transaction)
    } finally {
      await this.rollback(transaction)
    }
  }

  async begin(): Promise<number> {
    this.#transactions.set(++this.#last, new Transaction())
    return this.#last
  }

  async lock(id: number, keys: readonly string[]): Promise<void> {
    const transaction = this.transaction(id)
    for (const key of keys) await this.server.locks.lock(transaction, key)
  }

  async put(id: number, operations: readonly TextOperation[]): Promise<void> {
    const transaction = this.transaction(id)
    for (const operation of operations) {
      await this.server.locks.lock(transaction, operation.key)
      transaction.changes.set(operation.key, operation.type === "write" ? operation.text : undefined)
    }
  }

  async add(id: number, records: readonly TextRecord[]): Promise<readonly TextRecord[]> {
    await this.lock(
      id,
      records.map(({ key }) => key),
    )
    const present = await this.getMany(records.map(({ key }) => key))
    const taken = new Set(present.map(({ key }) => key))
    const free = records.filter(({ key }) => !taken.has(key))
    await this.put(
      id,
      free.map(({ key, text }) => ({ type: "write", key, text })),
    )
    return present
  }

  async commit(id: number): Promise<void> {
    const transaction = this.transaction(id)
    this.server.commit(transaction.changes)
    await this.rollback(id)
  }

  async rollback(id: number): Promise<void> {
    const transaction = this.#transactions.get(id)
    if (transaction === undefined) return
    this.server.locks.release(transaction)
    this.#transactions.delete(id)
  }

  protected transaction(id: number): Transaction {
    const transaction = this.#transactions.get(id)
    if (transaction === undefined) throw new EngineError("25P01", "there is no such transaction")
    return transaction
  }
}

import { EngineError } from "./engine.js"

/** Changes that nobody else sees yet, and the records that they hold. */
export class Transaction {
  readonly changes = new Map<string, string | undefined>()
  readonly locked = new Set<string>()
  waitsFor: Transaction | undefined
}

/** Which transaction holds which record. */
export class RowLocks {
  readonly #held = new Map<string, { readonly holder: Transaction; readonly waiting: (() => void)[] }>()

  /** Waits for its turn; of transactions that wait for each other one fails. */
  async lock(transaction: Transaction, key: string): Promise<void> {
    for (;;) {
      const held = this.#held.get(key)
      if (held === undefined) break
      if (held.holder === transaction) return
      transaction.waitsFor = held.holder
      refuseDeadlock(transaction)
      await new Promise<void>((resolve) => held.waiting.push(resolve))
      transaction.waitsFor = undefined
    }
    this.#held.set(key, { holder: transaction, waiting: [] })
    transaction.locked.add(key)
  }

  release(transaction: Transaction): void {
    for (const key of transaction.locked) {
      const held = this.#held.get(key)
      this.#held.delete(key)
      for (const proceed of held?.waiting ?? []) proceed()
    }
    transaction.locked.clear()
  }
}

function refuseDeadlock(transaction: Transaction): void {
  for (let other = transaction.waitsFor; other !== undefined; other = other.waitsFor) {
    if (other !== transaction) continue
    transaction.waitsFor = undefined
    throw new EngineError("40P01", "deadlock detected")
  }
}

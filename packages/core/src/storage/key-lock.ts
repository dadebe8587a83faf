/**
 * Readers share, writers exclude, key by key, within one process. Waiters are served in the order they came,
 * so that a stream of readers cannot starve a writer.
 */
export class KeyLock {
  readonly #gates = new Map<string, Gate>()

  /** Whether nobody holds `key`, so that what takes no time need not wait. */
  isFree(key: string): boolean {
    return !this.#gates.has(key)
  }

  /** Runs `action` while no writer holds `key`. */
  async shared<T>(key: string, action: () => Promise<T>): Promise<T> {
    const turn = this.#acquire(key, "reader")
    if (turn !== undefined) await turn
    try {
      return await action()
    } finally {
      this.#release(key, "reader")
    }
  }

  /** Runs `action` while nobody else holds `key`. */
  exclusive<T>(key: string, action: () => Promise<T>): Promise<T> {
    return this.exclusiveAll([key], action)
  }

  /** Runs `action` while nobody else holds any of `keys`: distinct, and sorted, so that no two calls deadlock. */
  async exclusiveAll<T>(keys: readonly string[], action: () => Promise<T>): Promise<T> {
    for (const key of keys) {
      const turn = this.#acquire(key, "writer")
      if (turn !== undefined) await turn
    }
    try {
      return await action()
    } finally {
      for (const key of keys) this.#release(key, "writer")
    }
  }

  // Nothing to wait for is the usual case, and costs no turn of the event loop.
  #acquire(key: string, role: Role): Promise<void> | undefined {
    const gate = this.#gates.get(key)
    if (gate === undefined) {
      this.#gates.set(key, { holders: 1, writing: role === "writer", waiting: [] })
      return undefined
    }
    return new Promise((proceed) => {
      gate.waiting.push({ role, proceed })
      admit(gate)
    })
  }

  #release(key: string, role: Role): void {
    const gate = this.#gates.get(key) as Gate
    gate.holders--
    if (role === "writer") gate.writing = false
    admit(gate)
    if (gate.holders === 0) this.#gates.delete(key)
  }
}

type Role = "reader" | "writer"

interface Gate {
  holders: number
  writing: boolean
  readonly waiting: { readonly role: Role; readonly proceed: () => void }[]
}

function admit(gate: Gate): void {
  for (let next = gate.waiting[0]; next !== undefined; next = gate.waiting[0]) {
    if (gate.writing || (next.role === "writer" && gate.holders > 0)) return
    gate.waiting.shift()
    gate.holders++
    gate.writing = next.role === "writer"
    next.proceed()
  }
}

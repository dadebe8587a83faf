import { StorageError } from "./storage-error.js"

/** What is under way in a store, which its closing waits for, and after which nothing begins any more. */
export class LifeCycle {
  #underWay = 0
  #idle: (() => void) | undefined
  #ending: Promise<void> | undefined

  /** Runs one step. Rejects with `CLOSED` once the end has begun. */
  async run<T>(action: () => Promise<T>): Promise<T> {
    this.assertOpen()
    this.#underWay++
    try {
      return await action()
    } finally {
      this.#underWay--
      if (this.#underWay === 0) this.#idle?.()
    }
  }

  /** @throws StorageError `CLOSED` once the end has begun */
  assertOpen(): void {
    if (this.#ending !== undefined)
      throw new StorageError("CLOSED", "The store is closed; open it again to use it")
  }

  /** Waits for what is under way, then runs `finish`, once. */
  end(finish: () => Promise<void>): Promise<void> {
    this.#ending ??= this.#settled().then(finish)
    return this.#ending
  }

  #settled(): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle = resolve
    })
  }
}

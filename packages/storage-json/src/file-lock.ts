import { createHash, randomUUID } from "node:crypto"
import { existsSync, readdirSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { decodeKey, StorageError } from "@sessile/core/storage"
import { endLock, ownersOf, placeLock, prepareLock, removeFree, signOfLife } from "./lock-folder.js"
import { beginName, endName, livenessOf, parseName } from "./lock-owner.js"
import { hasCode, storageFault } from "./storage-fault.js"
import type { StoreLayout } from "./store-layout.js"
import { makeFolder } from "./sync-folder.js"

/** An owner of which nobody can prove that it lives loses its lock after so long without a sign of life. */
export const STALE_AFTER = 5_000
const HEARTBEAT = 1_000
const FIRST_WAIT = 1
const LONGEST_WAIT = 25

/** Proof that a lock is held. */
export interface Held {
  /**
   * A file that exists as long as the lock is held. A change that is written to it and moved into place by
   * `commitFile` cannot happen after the lock was lost, however long the process stood still before.
   */
  readonly prepared: string
  /** @throws StorageError `LOCKED` when the lock was lost */
  verify(): void
}

/** Since when a sign of life has been the same, by the clock of this process. */
interface Watch {
  readonly owner: string
  readonly sign: string
  readonly since: number
}

/**
 * Locks between processes. A lock names its owner. It is taken over when that process is dead, or, where this cannot be
 * proved, when it has shown no sign of life while this process watched: no clock is compared with another.
 */
export class FileLocks {
  readonly #locks: string
  readonly #temporary: string
  readonly #timeout: number
  readonly #watches = new Map<string, Watch>()

  /** `timeout` is how long to wait for a lock, in milliseconds. */
  constructor({ locks, temporary }: Pick<StoreLayout, "locks" | "temporary">, timeout: number) {
    this.#locks = locks
    this.#temporary = temporary
    this.#timeout = timeout
  }

  /** Runs `action` while no other process holds the lock `name`, which is an encoded key. */
  async hold<T>(name: string, action: (held: Held) => Promise<T>): Promise<T> {
    const path = this.path(name)
    const owner = beginName()
    const prepared = join(path, owner)
    const verify = () => {
      if (!existsSync(prepared)) throw lost(name, path)
    }
    try {
      await this.#acquire(name, path, owner)
      const heartbeat = setInterval(showLife, HEARTBEAT, prepared).unref()
      try {
        return await action({ prepared, verify })
      } finally {
        clearInterval(heartbeat)
        release(path, owner)
      }
    } finally {
      endName(owner)
    }
  }

  /** Where the lock `name` lies while it is held. */
  path(name: string): string {
    return join(this.#locks, createHash("sha256").update(name).digest("hex").slice(0, 32))
  }

  /** Removes the locks of dead processes. */
  sweep(): void {
    for (const name of readdirSync(this.#locks)) {
      const path = join(this.#locks, name)
      const owners = ownersOf(path) ?? []
      for (const owner of owners) if (livenessOf(owner) === "dead") endLock(path, owner)
      if (owners.length === 0) removeFree(path)
    }
  }

  async #acquire(name: string, path: string, owner: string): Promise<void> {
    const folder = join(this.#temporary, randomUUID())
    const deadline = performance.now() + this.#timeout
    try {
      this.#prepare(folder, owner)
      for (
        let wait = FIRST_WAIT;
        !this.#place(folder, owner, path);
        wait = Math.min(wait * 2, LONGEST_WAIT)
      ) {
        if (this.#makeFree(path)) continue
        if (performance.now() >= deadline) throw taken(name, path, this.#timeout)
        await delay(wait * (0.5 + Math.random()))
      }
      this.#watches.delete(path)
    } catch (error) {
      if (existsSync(folder)) endLock(folder, owner)
      throw storageFault("lock the record", error, path)
    }
  }

  #prepare(folder: string, owner: string): void {
    try {
      prepareLock(folder, owner)
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error
      makeFolder(this.#temporary)
      prepareLock(folder, owner)
    }
  }

  #place(folder: string, owner: string, path: string): boolean {
    try {
      return placeLock(folder, path)
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error
      makeFolder(this.#locks)
      // What lies prepared for very long is swept away.
      if (!existsSync(folder)) this.#prepare(folder, owner)
      return placeLock(folder, path)
    }
  }

  /** Ends the lock of an owner that is dead; returns whether the lock is free. */
  #makeFree(path: string): boolean {
    const owners = ownersOf(path) ?? []
    const dead = owners.filter((owner) => this.#isDead(path, owner))
    for (const owner of dead) endLock(path, owner)
    if (owners.length === 0) removeFree(path)
    return dead.length === owners.length
  }

  #isDead(path: string, owner: string): boolean {
    const liveness = livenessOf(owner)
    if (liveness !== "unknown") return liveness === "dead"
    const sign = signOfLife(path, owner)
    const watch = this.#watches.get(path)
    const now = performance.now()
    if (watch?.owner === owner && watch.sign === sign) return now - watch.since >= STALE_AFTER
    this.#watches.set(path, { owner, sign, since: now })
    return false
  }
}

function release(path: string, owner: string): void {
  try {
    endLock(path, owner)
  } catch (error) {
    throw storageFault("release the lock of the record", error, path)
  }
}

function showLife(prepared: string): void {
  const now = new Date()
  try {
    utimesSync(prepared, now, now)
  } catch (error) {
    // The holder finds out when it needs the lock.
    if (!hasCode(error, "ENOENT")) process.emitWarning(error as Error)
  }
}

function taken(name: string, path: string, timeout: number): StorageError {
  const pid = ownersOf(path)?.map(parseName)[0]?.pid
  const holder = pid === undefined ? "Another process" : `Another process (${pid})`
  const message = `${holder} has held this record for over ${timeout} ms; try again when it is done`
  return new StorageError("LOCKED", message, { key: decodeKey(name), path })
}

function lost(name: string, path: string): StorageError {
  const message =
    "This process stood still for so long that another one took its lock; nothing was written, try again"
  return new StorageError("LOCKED", message, { key: decodeKey(name), path })
}

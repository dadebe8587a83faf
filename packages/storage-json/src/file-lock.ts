import { createHash } from "node:crypto"
import { rmdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { decodeKey, StorageError } from "@sessile/core/storage"
import { makeFolder } from "./atomic-file.js"
import { hasCode, storageFault } from "./storage-fault.js"

/** A holder shows that it lives every second; one that has not for this long is taken for dead. */
export const STALE_AFTER = 5_000
const HEARTBEAT = 1_000
const NEVER = Number.MAX_SAFE_INTEGER
const FIRST_WAIT = 1
const LONGEST_WAIT = 25

// Whoever only reads need not wait for it.
const lockfile = () => import("proper-lockfile")

/** Proof that a lock is held. */
export interface Held {
  /** @throws StorageError `LOCKED` when the process stood still for so long that others took the lock over. */
  verify(): Promise<void>
}

/** Locks between processes, as folders with an up-to-date time. */
export class FileLocks {
  readonly #folder: string
  readonly #timeout: number

  /** `timeout` is how long to wait for a lock, in milliseconds. */
  constructor(folder: string, timeout: number) {
    this.#folder = folder
    this.#timeout = timeout
  }

  /** Runs `action` while no other process holds the lock `name`, which is an encoded key. */
  async hold<T>(name: string, action: (held: Held) => Promise<T>): Promise<T> {
    const path = this.path(name)
    let compromised = false
    const release = await this.#acquire(name, path, () => {
      compromised = true
    })
    const acquired = Date.now()
    const isHeld = async () => {
      if (compromised) return false
      if (Date.now() - acquired < STALE_AFTER - HEARTBEAT) return true
      // A process that stood still has missed its own heartbeat, too: only the folder's age tells whose it is.
      return (await bornAt(path)) <= acquired
    }
    const verify = async () => {
      if (!(await isHeld())) throw lost(name, path)
    }
    try {
      return await action({ verify })
    } finally {
      if (await isHeld()) await release()
    }
  }

  /** Where the lock `name` lies while it is held. */
  path(name: string): string {
    return join(this.#folder, createHash("sha256").update(name).digest("hex").slice(0, 32))
  }

  async #acquire(name: string, path: string, onCompromised: () => void): Promise<() => Promise<void>> {
    const { lock } = await lockfile()
    const deadline = Date.now() + this.#timeout
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        return await lock(path, {
          lockfilePath: path,
          realpath: false,
          stale: NEVER,
          update: HEARTBEAT,
          onCompromised,
        })
      } catch (error) {
        if (hasCode(error, "ENOENT")) {
          makeFolder(this.#folder)
          continue
        }
        if (!hasCode(error, "ELOCKED")) throw storageFault("lock the record", error, path)
      }
      if (await isStale(path)) await this.#removeStale(path)
      else if (Date.now() > deadline) throw taken(name, path, this.#timeout)
      else await delay(wait * (0.5 + Math.random()))
    }
  }

  // Of several processes that find a stale lock, a late one must not remove the lock that an early one has
  // already put in its place. So they take turns, and look again when it is theirs.
  async #removeStale(path: string): Promise<void> {
    const { lock } = await lockfile()
    const turn = `${path}.takeover`
    try {
      const release = await lock(turn, { lockfilePath: turn, realpath: false, stale: STALE_AFTER })
      try {
        if (await isStale(path)) await rmdir(path)
      } finally {
        await release()
      }
    } catch (error) {
      if (!hasCode(error, "ELOCKED", "ENOENT"))
        throw storageFault("remove a dead process's lock", error, path)
    }
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < Date.now() - STALE_AFTER
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false
    throw error
  }
}

async function bornAt(path: string): Promise<number> {
  try {
    return Math.floor((await stat(path)).birthtimeMs)
  } catch (error) {
    if (hasCode(error, "ENOENT")) return Number.POSITIVE_INFINITY
    throw error
  }
}

function taken(name: string, path: string, timeout: number): StorageError {
  const message = `Another process has held this record for over ${timeout} ms; try again when it is done`
  return new StorageError("LOCKED", message, { key: decodeKey(name), path })
}

function lost(name: string, path: string): StorageError {
  const message =
    "This process stood still for so long that another one took its lock; nothing was written, try again"
  return new StorageError("LOCKED", message, { key: decodeKey(name), path })
}

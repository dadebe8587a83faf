import { createHash, randomBytes } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { hasCode } from "./storage-fault.js"

/** The process that holds a lock. */
export interface LockOwner {
  readonly pid: number
  /** When it started, in ticks of its system; `"0"` where that is unknown. */
  readonly started: string
  /** The system that the process id belongs to: one boot of one machine, one container. */
  readonly host: string
}

const NAME = /^(\d{1,10})-(\d+)-([0-9a-f]{16})-[0-9a-f]{32}$/

const NO_PROC = ["ENOENT", "ESRCH", "EACCES", "EPERM", "ENOTDIR", "EINVAL", "UNKNOWN"]

/** The names that this thread uses at present. */
const inUse = new Set<string>()

let self: LockOwner | undefined

/** A name for one acquisition by this thread, with a random token; it is in use until {@link endName}. */
export function beginName(): string {
  const { pid, started, host } = ownIdentity()
  const name = `${pid}-${started}-${host}-${randomBytes(16).toString("hex")}`
  inUse.add(name)
  return name
}

export function endName(name: string): void {
  inUse.delete(name)
}

/** The owner that a name states; `undefined` for one that {@link beginName} does not return. */
export function parseName(name: string): LockOwner | undefined {
  const [, pid, started, host] = NAME.exec(name) ?? []
  if (pid === undefined || started === undefined || host === undefined) return undefined
  return { pid: Number(pid), started, host }
}

/**
 * Whether the owner of a lock still runs, as far as that can be proved. It cannot for processes of other systems, for
 * other threads of this process, and where the system does not say when a process started: ids are used again.
 */
export function livenessOf(name: string): "alive" | "dead" | "unknown" {
  if (inUse.has(name)) return "alive"
  const owner = parseName(name)
  if (owner === undefined || owner.host !== ownIdentity().host) return "unknown"
  if (!isRunning(owner.pid)) return "dead"
  const started = startOf(owner.pid)
  if (started === "0" || owner.started === "0") return "unknown"
  if (started !== owner.started) return "dead"
  return owner.pid === process.pid ? "unknown" : "alive"
}

function ownIdentity(): LockOwner {
  self ??= { pid: process.pid, started: startOf(process.pid), host: hostId() }
  return self
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs for another user.
    if (hasCode(error, "EPERM")) return true
    if (hasCode(error, "ESRCH")) return false
    throw error
  }
}

/** `"0"` where the system does not say; `"ended"` for a process that only waits for its parent to notice. */
function startOf(pid: number): string {
  try {
    // In a container that shows the processes of its host, ids mean others.
    if (readlinkSync("/proc/self") !== String(process.pid)) return "0"
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The name of the program comes before them, in parentheses, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" || fields[0] === "X" ? "ended" : (fields[19] ?? "0")
  } catch (error) {
    if (hasCode(error, ...NO_PROC)) return "0"
    throw error
  }
}

function hostId(): string {
  const boot = ifThere(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"))
  const container = ifThere(() => readlinkSync("/proc/self/ns/pid"))
  return createHash("sha256").update(`${hostname()}\n${boot}\n${container}`).digest("hex").slice(0, 16)
}

/** Nothing where the system has no such file: only Linux has these. */
function ifThere(read: () => string): string {
  try {
    return read()
  } catch (error) {
    if (hasCode(error, ...NO_PROC)) return ""
    throw error
  }
}

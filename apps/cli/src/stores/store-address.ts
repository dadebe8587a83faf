import { homedir } from "node:os"
import { join, resolve } from "node:path"

/** A store by its kind and its place. */
export interface StoreAddress {
  /** A kind of store, or `adapter`. */
  readonly kind: string
  /** An absolute path; for `adapter`, whatever the adapter takes. */
  readonly path: string
}

/** An address as it was written. */
export interface WrittenAddress {
  /** Without it, what lies at the path decides. */
  readonly kind?: string | undefined
  readonly path: string
}

/** The kind of the addresses that a module given with `--adapter` opens. */
export const ADAPTER = "adapter"

/** Where a conversion goes when nobody says so. */
export const DEFAULT_TARGET = "opencode-history.db"

/** Takes `kind:path` apart. A single letter in front of a colon is a drive of Windows. */
export function parseAddress(text: string): WrittenAddress {
  const [, kind, rest = ""] = /^([a-z][a-z0-9+-]+):(.*)$/is.exec(text) ?? []
  if (kind === undefined) return { path: absolute(text) }
  const lowerCase = kind.toLowerCase()
  return { kind: lowerCase, path: lowerCase === ADAPTER || rest === "" ? rest : absolute(rest) }
}

export function formatAddress({ kind, path }: StoreAddress): string {
  return `${kind}:${path}`
}

// A shell leaves the tilde in `json:~/store` as it is.
function absolute(path: string): string {
  if (path === "~") return homedir()
  return /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : resolve(path)
}

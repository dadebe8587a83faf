import { join } from "node:path"
import { opencodePaths } from "@sessile/core/paths"
import { StorageError } from "@sessile/core/storage"
import { UsageError } from "../exit-code.js"
import { type Findings, isVacant, lookAt } from "./findings.js"
import { noHistory } from "./history-kind.js"
import { isSqlite } from "./sqlite-kind.js"
import { ADAPTER, formatAddress, parseAddress, type StoreAddress } from "./store-address.js"
import type { StoreKind } from "./store-kind.js"
import { storeKind, storeKinds } from "./store-kinds.js"

/** The address of a store that is to be read; without one, that of opencode's whole history. */
export async function resolveSource(text: string | undefined): Promise<StoreAddress> {
  if (text === undefined) return opencodeHistory()
  const { kind, path } = parseAddress(text)
  if (kind !== undefined) return explicit(kind, path)
  const findings = await lookAt(path)
  if (findings === undefined) throw new StorageError("NOT_FOUND", "No such file or folder", { path })
  return recognise(findings)
}

/** The address of a store that is to be written, which need not be there yet. */
export async function resolveTarget(text: string): Promise<StoreAddress> {
  const { kind, path } = parseAddress(text)
  if (kind !== undefined) return writable(await explicit(kind, path))
  const findings = await lookAt(path)
  if (findings !== undefined && !isVacant(findings)) return writable(await recognise(findings))
  const [byName] = [...storeKinds].find(([, { newFile }]) => newFile?.test(path)) ?? [undefined]
  if (byName !== undefined && findings?.names === undefined) return { kind: byName, path }
  throw new UsageError(`Unknown kind of store for ${text}; write ${choices(text, isWritable)}`)
}

/**
 * Whether one argument alone names the source. JSON files do; so does a database of opencode that exists, as it is never
 * written to unless it is named as the target. A database of Sessile is what people convert into.
 */
export async function isSourceAlone(text: string): Promise<boolean> {
  const written = parseAddress(text)
  if (written.kind === ADAPTER) return true
  const findings = written.path === "" ? undefined : await lookAt(written.path)
  if (written.kind === undefined && (findings === undefined || isVacant(findings))) return false
  const { kind } = written.kind === undefined ? await recognise(findings as Findings) : { kind: written.kind }
  const { isUsuallySource = false, isSourceIfPresent = false } = storeKinds.get(kind) ?? {}
  return isUsuallySource || (isSourceIfPresent && !isVacant(findings))
}

/** Refuses a target of a kind that can only be read. */
function writable(address: StoreAddress): StoreAddress {
  const isReadOnly = address.kind !== ADAPTER && storeKind(address.kind).openForWriting === undefined
  if (isReadOnly) throw onlyRead(address)
  return address
}

export function onlyRead(address: StoreAddress): UsageError {
  const { path } = address
  return new UsageError(
    `${formatAddress(address)} can only be read; write to json:${path} or opencode:${join(path, "opencode.db")}`,
  )
}

async function explicit(kind: string, path: string): Promise<StoreAddress> {
  if (kind !== ADAPTER && !storeKinds.has(kind)) {
    const known = [...storeKinds.keys(), ADAPTER].join(", ")
    throw new UsageError(`Unknown kind of store "${kind}"; known kinds: ${known}`)
  }
  if (path === "") throw new UsageError(`${kind === ADAPTER ? "address" : "path"} missing after ${kind}:`)
  // Refuses what is neither a file nor a folder, before anything opens it.
  if (kind !== ADAPTER) await lookAt(path)
  return { kind, path }
}

async function recognise(findings: Findings): Promise<StoreAddress> {
  const { path } = findings
  for (const [kind, { recognises }] of storeKinds) if (await recognises(findings)) return { kind, path }
  throw new StorageError("INVALID_ARGUMENT", unrecognised(findings), { path })
}

function unrecognised({ names, header }: Findings): string {
  if (names !== undefined)
    return `This folder does not look like a store; if it is one, write ${choices("DIR", ({ medium }) => medium === "folder")}`
  if (header !== undefined && isSqlite(header)) return "This SQLite database belongs to another program"
  return "This file does not look like a store"
}

function isWritable({ openForWriting }: StoreKind): boolean {
  return openForWriting !== undefined
}

function choices(path: string, isFitting: (kind: StoreKind) => boolean): string {
  const fitting = [...storeKinds].filter(([, kind]) => isFitting(kind))
  return fitting.map(([kind]) => `${kind}:${path}`).join(" or ")
}

async function opencodeHistory(): Promise<StoreAddress> {
  const { data } = opencodePaths()
  const findings = (await lookAt(data)) ?? { path: data, names: [] }
  for (const kind of ["history", "json"]) {
    if (await storeKind(kind).recognises(findings)) return { kind, path: data }
  }
  throw noHistory(data)
}

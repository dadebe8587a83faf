import { opencodePaths } from "@sessile/core/paths"
import { StorageError } from "@sessile/core/storage"
import { UsageError } from "../exit-code.js"
import { type Findings, isVacant, lookAt } from "./findings.js"
import { isSqlite } from "./sqlite-kind.js"
import { ADAPTER, parseAddress, type StoreAddress } from "./store-address.js"
import type { StoreKind } from "./store-kind.js"
import { storeKind, storeKinds } from "./store-kinds.js"

/** The address of a store that is to be read; without one, that of opencode's data folder. */
export async function resolveSource(text: string | undefined): Promise<StoreAddress> {
  if (text === undefined) return opencodeHistory()
  const { kind, path } = parseAddress(text)
  if (kind !== undefined) return explicit(kind, path)
  const findings = await lookAt(path)
  if (findings === undefined) throw new StorageError("NOT_FOUND", "There is nothing here", { path })
  return recognise(findings)
}

/** The address of a store that is to be written, which need not be there yet. */
export async function resolveTarget(text: string): Promise<StoreAddress> {
  const { kind, path } = parseAddress(text)
  if (kind !== undefined) return explicit(kind, path)
  const findings = await lookAt(path)
  if (findings !== undefined && !isVacant(findings)) return recognise(findings)
  const [byName] = [...storeKinds].find(([, { newFile }]) => newFile?.test(path)) ?? [undefined]
  if (byName !== undefined && findings?.names === undefined) return { kind: byName, path }
  throw new UsageError(`Say what ${text} is to become: ${choices(text)}`)
}

/** Whether one argument alone means where to read from: JSON files do, databases are what people convert into. */
export async function isSourceAlone(text: string): Promise<boolean> {
  const written = parseAddress(text)
  if (written.kind === ADAPTER) return true
  if (written.kind !== undefined) return storeKinds.get(written.kind)?.isUsuallySource ?? false
  const findings = await lookAt(written.path)
  if (findings === undefined || isVacant(findings)) return false
  const { kind } = await recognise(findings)
  return storeKind(kind).isUsuallySource ?? false
}

function explicit(kind: string, path: string): StoreAddress {
  if (kind !== ADAPTER && !storeKinds.has(kind)) {
    const known = [...storeKinds.keys(), ADAPTER].join(", ")
    throw new UsageError(`There is no kind of store "${kind}"; known are ${known}`)
  }
  if (path === "") throw new UsageError(`The address "${kind}:" lacks the place of the store`)
  return { kind, path }
}

async function recognise(findings: Findings): Promise<StoreAddress> {
  const { path } = findings
  for (const [kind, { recognises }] of storeKinds) if (await recognises(findings)) return { kind, path }
  throw new StorageError("INVALID_ARGUMENT", unrecognised(findings), { path })
}

function unrecognised({ names, header }: Findings): string {
  if (names !== undefined)
    return `This folder does not look like a store; if it is one, write ${choices("DIR", "folder")}`
  if (header !== undefined && isSqlite(header)) return "This SQLite database belongs to another program"
  return "This file does not look like a store"
}

function choices(path: string, medium?: StoreKind["medium"]): string {
  const fitting = [...storeKinds].filter(([, kind]) => medium === undefined || kind.medium === medium)
  return fitting.map(([kind]) => `${kind}:${path}`).join(" or ")
}

async function opencodeHistory(): Promise<StoreAddress> {
  const { data } = opencodePaths()
  const findings = await lookAt(data)
  if (findings !== undefined && (await storeKind("json").recognises(findings)))
    return { kind: "json", path: data }
  const message =
    "There are no JSON files of opencode in its data folder; name a store, or set OPENCODE_DATA_DIR or XDG_DATA_HOME"
  throw new StorageError("NOT_FOUND", message, { path: data })
}

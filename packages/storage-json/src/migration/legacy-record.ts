import { readFile } from "node:fs/promises"
import { join } from "node:path"
import glob from "fast-glob"
import { decodeSegment } from "../file-name.js"
import { storageFault } from "../storage-fault.js"

/** A record of the legacy layout, and the ids that its path gives it. */
export type LegacyRecord =
  | { readonly kind: "session"; readonly path: string; readonly session: string }
  | { readonly kind: "message"; readonly path: string; readonly session: string; readonly message: string }
  | { readonly kind: "part"; readonly path: string; readonly message: string; readonly part: string }

/** opencode's own notes, which have no place in the new layout. */
const NOTES = ["app.json", "storage/migration"]

/** Every file in the legacy folder of one project: its records in order, and all that is neither record nor note. */
export async function legacyRecords(folder: string): Promise<{ records: LegacyRecord[]; others: string[] }> {
  const records: LegacyRecord[] = []
  const others: string[] = []
  for (const path of (await glob("**", { cwd: folder, dot: true, followSymbolicLinks: false })).sort()) {
    const record = recognise(join(folder, path), path)
    if (record !== undefined) records.push(record)
    else if (!NOTES.includes(path)) others.push(join(folder, path))
  }
  return { records, others }
}

export async function readLegacy(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw storageFault("read the legacy record", error, path)
  }
}

function recognise(path: string, relative: string): LegacyRecord | undefined {
  const match = /^storage\/session\/(info|message|part)\/(.+)\.json$/.exec(relative)
  const ids = match?.[2]?.split("/").map(decodeSegment) ?? []
  const [first, second, third] = ids
  if (ids.length === 0 || ids.includes(undefined)) return undefined
  if (match?.[1] === "info" && ids.length === 1) return { kind: "session", path, session: first as string }
  if (match?.[1] === "message" && ids.length === 2) {
    return { kind: "message", path, session: first as string, message: second as string }
  }
  if (match?.[1] === "part" && ids.length === 3) {
    return { kind: "part", path, message: second as string, part: third as string }
  }
  return undefined
}

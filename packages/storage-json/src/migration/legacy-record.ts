import { join } from "node:path"
import { decodeSegment } from "../file-name.js"
import { type FileBelow, filesBelow } from "../files-below.js"
import { readRegular } from "../regular-file.js"
import { storageFault } from "../storage-fault.js"

/** A record of the legacy layout, and the ids that its path gives it. */
export type LegacyRecord = { readonly path: string; readonly session: string } & (
  | { readonly kind: "session" }
  | { readonly kind: "message"; readonly message: string }
  | { readonly kind: "part"; readonly message: string; readonly part: string }
)

/** opencode's own notes, which have no place in the new layout. */
const NOTES = ["app.json", "storage/migration"]

/** Every file in the legacy folder of one project: its records in order, and all that is neither record nor note. */
export async function legacyRecords(folder: string): Promise<{ records: LegacyRecord[]; others: string[] }> {
  const records: LegacyRecord[] = []
  const others: string[] = []
  for (const { path, isFile } of await listed(folder)) {
    const record = isFile ? recognise(join(folder, path), path) : undefined
    if (record !== undefined) records.push(record)
    else if (!isFile || !NOTES.includes(path)) others.push(join(folder, path))
  }
  return { records, others }
}

/** @throws StorageError `CORRUPT` for what is no regular file, `DENIED`, `IO` */
export function readLegacy(path: string): Buffer {
  try {
    return readRegular(path)
  } catch (error) {
    throw storageFault("read the legacy record", error, path)
  }
}

async function listed(folder: string): Promise<FileBelow[]> {
  try {
    return await filesBelow(folder)
  } catch (error) {
    throw storageFault("list the legacy project", error, folder)
  }
}

function recognise(path: string, relative: string): LegacyRecord | undefined {
  const match = /^storage\/session\/(info|message|part)\/(.+)\.json$/.exec(relative)
  const ids = match?.[2]?.split("/").map(decodeSegment) ?? []
  if (ids.length === 0 || ids.includes(undefined)) return undefined
  const [session, message, part] = ids as [string, string, string]
  if (match?.[1] === "info" && ids.length === 1) return { kind: "session", path, session }
  if (match?.[1] === "message" && ids.length === 2) return { kind: "message", path, session, message }
  if (match?.[1] === "part" && ids.length === 3) return { kind: "part", path, session, message, part }
  return undefined
}

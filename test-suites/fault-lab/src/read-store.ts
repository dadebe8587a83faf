import { createHash } from "node:crypto"
import { type Storage, StorageError, standardIndexes } from "@sessile/core/storage"
import type { Reading, ReadingError, ReadingTask, ReadRecord } from "./reading.js"
import { commitOf } from "./sample.js"
import type { Subject } from "./subject.js"

/** Reads a store from end to end, as a conversion does: its own check, all records, and once more by the indexes. */
export async function readStore(subject: Subject, { folder, readonly }: ReadingTask): Promise<Reading> {
  const records: Record<string, ReadRecord> = {}
  const invalid: string[] = []
  let findings: readonly string[] = []
  let error: ReadingError | undefined
  try {
    await using storage = await subject.open(folder, { readonly })
    findings = await check(storage)
    const onCorrupt = ({ key }: StorageError) => invalid.push(JSON.stringify(key))
    for await (const { key, value } of storage.scan([], { onCorrupt })) {
      records[JSON.stringify(key)] = readRecord(value)
    }
    for (const { name } of standardIndexes) {
      for await (const { key, value } of storage.find(name, { onCorrupt })) {
        records[`${name} ${JSON.stringify(key)}`] = readRecord(value)
      }
    }
  } catch (caught) {
    error = describeError(caught)
  }
  return { records, invalid, findings, error }
}

function readRecord(value: unknown): ReadRecord {
  const sha256 = createHash("sha256").update(JSON.stringify(value)).digest("hex")
  return { sha256, commit: commitOf(value) }
}

async function check(storage: Storage): Promise<readonly string[]> {
  return "check" in storage && typeof storage.check === "function" ? storage.check() : []
}

function describeError(error: unknown): ReadingError {
  if (StorageError.is(error)) return { code: error.code, message: error.message }
  return { code: undefined, message: error instanceof Error ? `${error.stack}` : String(error) }
}

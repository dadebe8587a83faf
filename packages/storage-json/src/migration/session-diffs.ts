import { join, relative } from "node:path"
import { decodeKey, StorageError, select } from "@sessile/core/storage"
import type { FileLocks, Held } from "../file-lock.js"
import { walkStore } from "../record-walk.js"
import { field, type JsonObject, parseObject } from "./json-object.js"
import { readLegacy } from "./legacy-record.js"
import type { RecordSink } from "./record-sink.js"
import { recordText } from "./record-text.js"

/**
 * From version 1 to 2: moves the diffs that sessions carry in their summary to `session_diff/<session>`, and
 * leaves the totals. The session as it was is kept beside the store's own files.
 */
export async function extractSessionDiffs(sink: RecordSink, locks: FileLocks): Promise<void> {
  for (const span of select([["session"]], {}).spans) {
    for (const sighting of walkStore(sink.layout, { span })) {
      if (sighting.kind === "barrier") throw sighting.error
      if (sighting.kind !== "record") continue
      const { key, path } = sighting
      if (decodeKey(key).length === 3) await locks.hold(key, (held) => extractDiffs(sink, key, path, held))
    }
  }
}

async function extractDiffs(sink: RecordSink, key: string, path: string, held: Held): Promise<void> {
  const original = readIfValid(path)
  const session = original && parseObject(original)
  if (original === undefined || session === undefined) return sink.remark(path, "damaged; left as it is")
  const split = splitDiffs(session)
  if (split === undefined) return
  if ("remark" in split) return sink.remark(path, split.remark)

  await sink.add(["session_diff", decodeKey(key)[2] as string], split.diffs, path)
  await sink.put(join(sink.layout.originals, "version-1", relative(sink.layout.root, path)), original)
  await sink.replace(path, split.session, held)
  sink.written++
}

/** `undefined` for what is no regular file. */
function readIfValid(path: string): Buffer | undefined {
  try {
    return readLegacy(path)
  } catch (error) {
    if (StorageError.is(error, "CORRUPT")) return undefined
    throw error
  }
}

/** The texts of a session without its diffs and of the diffs; `undefined` for a session that has none. */
export function splitDiffs(
  session: JsonObject,
): { readonly session: string; readonly diffs: string } | { readonly remark: string } | undefined {
  const diffs = field(session, "summary", "diffs")
  if (diffs === undefined) return undefined
  if (!Array.isArray(diffs)) return { remark: "its summary.diffs is not a list; left as it is" }
  return { session: recordText(withoutDiffs(session, diffs)), diffs: recordText(diffs) }
}

function withoutDiffs(session: JsonObject, list: readonly unknown[]): JsonObject {
  const { diffs: _, ...summary } = session.summary as JsonObject
  const total = (name: string) =>
    list.reduce<number>((sum, diff) => sum + (Number((diff as JsonObject)?.[name]) || 0), 0)
  const totals = { additions: total("additions"), deletions: total("deletions"), files: list.length }
  return { ...session, summary: { ...totals, ...summary } }
}

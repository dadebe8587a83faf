import type { Key, Operation, Storage } from "@sessile/core/storage"

const SESSIONS = 8
const MESSAGES = 6
const PARTS = 3

/**
 * Writes 216 records of the shape of a history, one batch for each session. Each value holds the number of its batch
 * as `commit`, so that a loss can be told from a crash before the last batch.
 */
export async function fillStore(storage: Storage): Promise<void> {
  for (let commit = 0; commit < SESSIONS; commit++) await storage.batch(sessionRecords(commit))
}

/** The number of the batch that wrote a value of {@link fillStore}. */
export function commitOf(value: unknown): number | undefined {
  const holder = (Array.isArray(value) ? value[0] : value) as { readonly commit?: unknown } | null | undefined
  return typeof holder?.commit === "number" ? holder.commit : undefined
}

function sessionRecords(commit: number): Operation[] {
  const session = `ses_${commit}${"a".repeat(20)}`
  const operations: Operation[] = [
    write(["session", "global", session], { commit, title: `Session ${commit}`, time: { updated: commit } }),
    write(["todo", session], [{ commit, content: "check" }]),
    write(["note", `${commit}`], { commit }),
  ]
  for (let number = 0; number < MESSAGES; number++) {
    const message = `msg_${commit}${number}`
    operations.push(write(["message", session, message], { commit, role: "user", time: { created: number } }))
    for (let part = 0; part < PARTS; part++) {
      const text = `${commit}.${number}.${part} `.repeat(10 + 40 * part)
      operations.push(write(["part", message, `prt_${part}`], { commit, type: "text", text }))
    }
  }
  return operations
}

function write(key: Key, value: unknown): Operation {
  return { type: "write", key, value }
}

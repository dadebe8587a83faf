import type { Ledger } from "@sessile/convert"
import { decodeKey, type Key } from "@sessile/core/storage"

/** What a ledger says about sessions. */
export interface LedgerFindings {
  /** The sessions whose own record was written, or would be. */
  readonly written: ReadonlySet<string>
  /** The first records that could not be brought in. */
  readonly lost: readonly LostRecord[]
  readonly lostCount: number
  /** The sessions whose messages have no content, so that opencode shows them blank. */
  readonly blank: ReadonlySet<string>
}

/** A record that could not be brought in. */
export interface LostRecord {
  readonly key: Key
  readonly reason: string
}

const NAMED = 10

/**
 * Goes through a ledger once.
 *
 * @param missing the sessions that only the JSON files have
 * @param deletedKeys encoded keys of what is left out on purpose
 */
export function ledgerFindings(
  ledger: Ledger,
  missing: ReadonlySet<string>,
  deletedKeys: ReadonlySet<string>,
): LedgerFindings {
  const written = new Set<string>()
  const lost: LostRecord[] = []
  const sessionOfMessage = new Map<string, string>()
  const messagesWithParts = new Set<string>()
  let lostCount = 0
  for (const page of ledger.entries()) {
    for (const { key: encoded, outcome, conflict, reason = "" } of page) {
      const key = decodeKey(encoded)
      const [kind, owner = "", id = ""] = key
      if (outcome !== "setAside") {
        if (kind === "session" && outcome === "written") written.add(id)
        if (kind === "message") sessionOfMessage.set(id, owner)
        if (kind === "part") messagesWithParts.add(owner)
        continue
      }
      // The database has it: with other content, or in another project.
      const isThere = conflict !== undefined || (kind === "session" && !missing.has(id))
      if (isThere || deletedKeys.has(encoded)) continue
      lostCount++
      if (lost.length < NAMED) lost.push({ key, reason })
    }
  }
  const withMessages = new Set(sessionOfMessage.values())
  for (const message of messagesWithParts) withMessages.delete(sessionOfMessage.get(message) ?? "")
  return { written, lost, lostCount, blank: new Set([...withMessages].filter((id) => written.has(id))) }
}

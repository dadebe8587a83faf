import type { ProjectSessions } from "./compare-sessions.js"
import type { LedgerFindings } from "./ledger-findings.js"
import type { RemovedRecords } from "./removed-records.js"
import type { RescueAttempt } from "./rescue-journal.js"
import type { RescueHints, RescuePlaces } from "./rescue-places.js"
import type { WhereToSee } from "./where-to-see.js"

/** What a rescue is about, and what came of it. */
export interface Rescue {
  readonly places: RescuePlaces
  readonly hints: RescueHints
  /** With those sessions as missing that are brought in. */
  readonly projects: readonly ProjectSessions[]
  readonly removed: readonly RemovedRecords[]
  readonly findings: LedgerFindings
  /** What is wrong with the database as a whole. */
  readonly damage: readonly string[]
  /** The sessions that only opencode 1.18.15 or later continues. */
  readonly sessionsBeforeWrap: readonly string[]
  /** Only of a rescue that has begun to write. */
  readonly attempt?: RescueAttempt | undefined
  /** Only of a rescue that reached its end. */
  readonly whereToSee?: WhereToSee | undefined
}

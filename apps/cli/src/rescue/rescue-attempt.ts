import { existsSync } from "node:fs"
import { backupPath, OpencodeStorage } from "@sessile/opencode-db"
import type { RescueAttempt, RescueJournal } from "./rescue-journal.js"
import { writeJournal } from "./rescue-journal.js"
import type { RescuePlaces } from "./rescue-places.js"

/** What decides whether an attempt goes on with an earlier one. */
export interface AttemptOptions {
  readonly backup: boolean
  /** The time of the latest change to a session in the database, in milliseconds. */
  readonly lastUse: number
  readonly now: number
  /** Called while another program holds the database, with the milliseconds so far. */
  readonly onWait: (waited: number) => void
}

/**
 * Notes that a rescue begins to write, and makes a backup of the database. An attempt that follows one that was cut short
 * keeps the backup of that one, unless opencode was used since: the backup would lack what it added.
 */
export async function beginAttempt(
  { target, isNew }: RescuePlaces,
  { sessions, unfinished }: RescueJournal,
  { backup, lastUse, now, onWait }: AttemptOptions,
): Promise<RescueAttempt> {
  const isContinued = unfinished !== null && lastUse < unfinished.startedAt
  const attempt = isContinued
    ? unfinished
    : {
        startedAt: now,
        isNewDatabase: isNew,
        backup: backup && !isNew ? backupPath(target.path, now) : null,
      }
  await writeJournal(target.path, { sessions, unfinished: attempt })
  if (attempt.backup !== null && !existsSync(attempt.backup)) {
    await using storage = await OpencodeStorage.open({
      path: target.path,
      clock: () => attempt.startedAt,
      onLockWait: onWait,
    })
    await storage.backup()
  }
  return attempt
}

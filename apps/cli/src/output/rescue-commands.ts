import type { Rescue } from "../rescue/rescue.js"
import { journalPath } from "../rescue/rescue-journal.js"
import type { RescuePlaces } from "../rescue/rescue-places.js"
import type { ListingFolder } from "../rescue/where-to-see.js"
import { shellCommands } from "./shell-commands.js"

/** The commands that list sessions in a folder. */
export function seeCommands({ folder, note, total }: ListingFolder, places: RescuePlaces): string[] {
  const { listSessions, noteProject } = shellCommands()
  const database = places.isOpenedByDefault ? undefined : places.target.path
  return [
    ...(note === undefined ? [] : [noteProject(note.path, note.project, note.isNewRepository)]),
    listSessions(folder, { database, atLeast: total }),
  ]
}

/** The command that makes the database what it was before the rescue; `undefined` when nothing can. */
export function goBackCommand({ places, attempt }: Rescue): string | undefined {
  if (attempt === undefined || (attempt.backup === null && !attempt.isNewDatabase)) return undefined
  const { path } = places.target
  return shellCommands().restore(path, attempt.backup ?? undefined, [journalPath(path)])
}

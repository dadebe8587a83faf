import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Key } from "@sessile/core/storage"
import { fixturePath } from "@sessile/fixtures"
import { projectID } from "./worktree.js"

/** What `opencode export` prints, and `opencode import` takes. */
export interface ExportedSession {
  readonly info: ExportedRecord
  readonly messages: readonly ExportedMessage[]
}

/** A message with its parts. */
export interface ExportedMessage {
  readonly info: ExportedRecord
  readonly parts: readonly ExportedRecord[]
}

/** A stored record, of which only the identifier matters here. */
export interface ExportedRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** What opencode 1.1.65 exported from the store of the fixture that it had written itself. */
export const exportsFolder = join(fixturePath("v1.1.65"), "exports")

/** Every session in {@link exportsFolder}. */
export async function exportedSessions(): Promise<ExportedSession[]> {
  const names = await readdir(exportsFolder)
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(exportsFolder, name), "utf8"))))
}

/** Titles by id, of those sessions that opencode lists: it lists no child sessions. */
export function rootTitles(sessions: readonly ExportedRecord[]): Map<string, unknown> {
  return new Map(
    sessions.filter(({ parentID }) => parentID === undefined).map(({ id, title }) => [id, title]),
  )
}

/** The records that make up a session, as a JSON store holds them. */
export function recordsOf({ info, messages }: ExportedSession): { key: Key; value: unknown }[] {
  return [
    { key: ["session", projectID, info.id], value: info },
    ...messages.map((message) => ({ key: ["message", info.id, message.info.id], value: message.info })),
    ...messages.flatMap((message) =>
      message.parts.map((part) => ({ key: ["part", message.info.id, part.id], value: part })),
    ),
  ]
}

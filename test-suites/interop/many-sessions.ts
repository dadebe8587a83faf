import { encodeKey, type TextRecord } from "@sessile/core/storage"
import { type TemporaryFolder, temporaryFolder } from "@sessile/fixtures"
import { JsonStorage } from "@sessile/storage-json"
import { recordsOf } from "./exported-session.js"
import { makeSession } from "./made-session.js"

/** A JSON store that is removed when it goes out of scope. */
export interface ManySessions extends TemporaryFolder {
  readonly address: string
  /** The identifiers of its sessions. */
  readonly ids: readonly string[]
}

/** Makes a JSON store so large that it takes a while to read. */
export async function manySessions(count: number): Promise<ManySessions> {
  const folder = await temporaryFolder()
  const sessions = Array.from({ length: count }, makeSession)
  await using storage = await JsonStorage.open({ path: folder.path })
  const records = sessions.flatMap(recordsOf)
  await storage.addTexts(
    records.map(
      ({ key, value }): TextRecord => ({ key: encodeKey(key), text: JSON.stringify(value, undefined, 2) }),
    ),
  )
  return { ...folder, address: `json:${folder.path}`, ids: sessions.map(({ info }) => info.id) }
}

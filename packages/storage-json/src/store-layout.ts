import { join, sep } from "node:path"
import { decodeKey } from "@sessile/core/storage"
import { decodeSegment, EXTENSION, encodeSegment } from "./file-name.js"
import { StoreBounds } from "./store-bounds.js"

/** The only record whose file has no extension. It lies at the root of the store. */
const MARKER = "migration"

/** Sessile's own folder. Its name starts with a dot, so that opencode does not take it for records. */
export const PRIVATE = ".sessile"

/** Where things lie below the root of a store. */
export class StoreLayout {
  readonly root: string
  readonly private: string
  readonly temporary: string
  readonly locks: string
  /** Originals of the records that a migration rewrote. */
  readonly originals: string
  readonly bounds: StoreBounds
  /** The file of the record `["migration"]`: opencode's note of how far the store has been migrated. */
  readonly marker: string

  constructor(root: string) {
    this.root = root
    this.private = join(root, PRIVATE)
    this.temporary = join(this.private, "temporary")
    this.locks = join(this.private, "locks")
    this.originals = join(this.private, "originals")
    this.bounds = new StoreBounds(root)
    this.marker = join(root, MARKER)
  }

  /**
   * Refuses a store in which a link stands for one of Sessile's own folders: it would write, and sweep, elsewhere.
   *
   * @throws StorageError `CORRUPT`
   */
  requireOwnFolders(): void {
    for (const folder of [this.temporary, this.locks, this.originals]) {
      this.bounds.requireInside(`${folder}${sep}`, "change")
    }
  }

  /** The file of a record. */
  recordPath(encodedKey: string): string {
    if (encodedKey === MARKER) return this.marker
    return this.folderPath(decodeKey(encodedKey)) + EXTENSION
  }

  /** The folder that holds the records below a prefix. */
  folderPath(prefix: readonly string[]): string {
    let path = this.root
    for (const segment of prefix) path += `${sep}${encodeSegment(segment, prefix)}`
    return path
  }
}

/** The last segment of the key whose record a file is, by its name; `undefined` for a foreign file. */
export function recordSegment(name: string, atRoot: boolean): string | undefined {
  if (atRoot && name === MARKER) return MARKER
  if (!name.endsWith(EXTENSION)) return undefined
  const segment = decodeSegment(name.slice(0, -EXTENSION.length))
  return atRoot && segment === MARKER ? undefined : segment
}

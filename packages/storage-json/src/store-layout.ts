import { join } from "node:path"
import { decodeKey } from "@sessile/core/storage"
import { EXTENSION, encodeSegment } from "./file-name.js"

/** Where things lie below the root of a store. */
export class StoreLayout {
  readonly root: string
  /** Sessile's own folder. Its name starts with a dot, so that neither opencode nor we take it for records. */
  readonly private: string
  readonly temporary: string
  readonly locks: string
  /** Originals of the records that a migration rewrote. */
  readonly originals: string
  /** opencode's note of how far the store has been migrated. */
  readonly marker: string

  constructor(root: string) {
    this.root = root
    this.private = join(root, ".sessile")
    this.temporary = join(this.private, "temporary")
    this.locks = join(this.private, "locks")
    this.originals = join(this.private, "originals")
    this.marker = join(root, "migration")
  }

  /** The file of a record. */
  recordPath(encodedKey: string): string {
    return join(this.root, ...decodeKey(encodedKey).map(encodeSegment)) + EXTENSION
  }

  /** The folder that holds the records below a prefix. */
  folderPath(prefix: readonly string[]): string {
    return join(this.root, ...prefix.map(encodeSegment))
  }
}

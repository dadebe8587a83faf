import { encodeKey, type Key } from "@sessile/core/storage"
import { commitFile, writeAtomically } from "../atomic-file.js"
import type { DurableFolders } from "../durable-folders.js"
import type { Held } from "../file-lock.js"
import { readRegular } from "../regular-file.js"
import { hasCode, storageFault } from "../storage-fault.js"
import type { StoreLayout } from "../store-layout.js"
import type { MigratedProject, MigrationRemark } from "./migration-report.js"

/** Where migration steps put records. It never replaces one, and keeps the report. */
export class RecordSink {
  readonly layout: StoreLayout
  readonly #durable: DurableFolders | undefined
  readonly projects: MigratedProject[] = []
  readonly remarks: MigrationRemark[] = []
  written = 0
  present = 0

  constructor(layout: StoreLayout, durable: DurableFolders | undefined) {
    this.layout = layout
    this.#durable = durable
  }

  /**
   * Adds a record unless its key is taken. A different record under that key stays, with a remark on the source; one
   * without a source gives way to any other.
   */
  async add(key: Key, content: string | Uint8Array, source: string | undefined): Promise<void> {
    const path = this.layout.recordPath(encodeKey(key))
    const existing = readIfThere(path)
    if (existing === undefined) {
      await this.put(path, content)
      this.written++
      return
    }
    if (source === undefined) return
    this.present++
    if (!existing.equals(Buffer.from(content))) this.remark(source, `kept the different record at ${path}`)
  }

  /** Replaces a file. */
  async put(path: string, content: string | Uint8Array): Promise<void> {
    try {
      this.layout.bounds.requireInside(path, "change")
      await writeAtomically(path, content, { temporary: this.layout.temporary, durable: this.#durable })
    } catch (error) {
      throw storageFault("write the record", error, path)
    }
  }

  /** Replaces the record whose lock is held. */
  async replace(path: string, content: string, held: Held): Promise<void> {
    try {
      this.layout.bounds.requireInside(path, "change")
      if (!(await commitFile(held.prepared, path, content, this.#durable))) held.verify()
    } catch (error) {
      throw storageFault("write the record", error, path)
    }
  }

  remark(path: string, remark: string): void {
    this.remarks.push({ path, remark })
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readRegular(path)
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined
    throw storageFault("read the record", error, path)
  }
}

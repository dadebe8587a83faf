import { join } from "node:path"
import { compareUtf8, decodeKey, encodeKey, type ForeignFile, isBelow } from "@sessile/core/storage"
import { parseObject } from "./json-object.js"
import { type LegacyProject, legacyProjects, type VersionOneRecord } from "./legacy-project.js"
import { readLegacy } from "./legacy-record.js"
import { CURRENT_VERSION } from "./migrate.js"
import type { MigratedProject, MigrationRemark } from "./migration-report.js"
import { splitDiffs } from "./session-diffs.js"

/** What a migration would make of the legacy layout in a data folder. */
export class LegacyCatalogue {
  /** By encoded key. */
  readonly records = new Map<string, VersionOneRecord>()
  readonly projects: MigratedProject[] = []
  readonly remarks: MigrationRemark[] = []
  readonly foreignFiles: ForeignFile[] = []

  /** Goes through everything but the sessions `without`, and what belongs to them. */
  static async of(data: string, without: ReadonlySet<string>): Promise<LegacyCatalogue> {
    const catalogue = new LegacyCatalogue()
    const legacy = join(data, "project")
    for await (const project of legacyProjects(legacy)) {
      for (const path of project.others) {
        catalogue.foreignFiles.push({ path, reason: "no record of the legacy layout" })
      }
      await catalogue.#addProject(project, without)
    }
    await catalogue.#extractDiffs()
    await catalogue.#add({ key: ["migration"], source: legacy, text: String(CURRENT_VERSION) })
    return catalogue
  }

  async #addProject({ project, records }: LegacyProject, without: ReadonlySet<string>): Promise<void> {
    const wanted = records.filter(({ session }) => session === undefined || !without.has(session))
    if (project === undefined || wanted.every(({ session }) => session === undefined)) return
    for (const record of wanted) {
      if (record.remark !== undefined) this.remarks.push({ path: record.source, remark: record.remark })
      await this.#add(record)
    }
    this.projects.push(project)
  }

  async #extractDiffs(): Promise<void> {
    for (const key of [...this.records.keys()].filter(isSession).sort(compareUtf8)) {
      const record = this.records.get(key) as VersionOneRecord
      const session = record.text === undefined ? undefined : parseObject(Buffer.from(record.text))
      const split = session && splitDiffs(session)
      if (split === undefined) continue
      if ("remark" in split) this.remarks.push({ path: record.source, remark: split.remark })
      else {
        this.records.set(key, { ...record, text: split.session })
        const id = record.key.at(-1) as string
        await this.#add({ key: ["session_diff", id], source: record.source, text: split.diffs })
      }
    }
  }

  /** As a migration does, it never replaces a record. */
  async #add(record: VersionOneRecord): Promise<void> {
    const key = encodeKey(record.key)
    const first = this.records.get(key)
    if (first === undefined) this.records.set(key, record)
    else if (!record.isShared && !contentOf(first).equals(contentOf(record))) {
      const remark = `left out for the different record at ${first.source}`
      this.remarks.push({ path: record.source, remark })
    }
  }
}

function isSession(key: string): boolean {
  return isBelow(["session"], decodeKey(key))
}

function contentOf({ text, source }: VersionOneRecord): Buffer {
  return text === undefined ? readLegacy(source) : Buffer.from(text)
}

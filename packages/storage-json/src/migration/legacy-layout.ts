import { legacyProjects } from "./legacy-project.js"
import { readLegacy } from "./legacy-record.js"
import type { RecordSink } from "./record-sink.js"

/** From version 0 to 1: copies every project of the legacy layout into the store. The legacy files stay as they are. */
export async function fromLegacyLayout(sink: RecordSink, legacy: string): Promise<void> {
  for await (const { project, records, others } of legacyProjects(legacy)) {
    for (const other of others) sink.remark(other, "not a record; left where it is")
    for (const { key, text, source, remark, isShared } of records) {
      if (remark !== undefined) sink.remark(source, remark)
      await sink.add(key, text ?? readLegacy(source), isShared ? undefined : source)
    }
    if (project !== undefined) sink.projects.push(project)
  }
}

/** What `opencode export` prints, and `opencode import` takes. */
export interface ExportedSession {
  readonly info: ExportedRecord
  readonly messages: readonly { readonly info: ExportedRecord; readonly parts: readonly ExportedRecord[] }[]
}

/** A stored record, of which only the identifier matters here. */
export interface ExportedRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** What a file of LevelDB is for, by its name. */
export type NumberedFile = { readonly type: "table" | "log" | "manifest"; readonly number: number }

/** `undefined` for files without a number and for those that are not LevelDB's. */
export function parseFileName(name: string): NumberedFile | undefined {
  const [, manifest, number, ending] = /^(?:MANIFEST-(\d+)|(\d+)\.(ldb|sst|log))$/.exec(name) ?? []
  if (manifest !== undefined) return { type: "manifest", number: Number(manifest) }
  if (number === undefined) return undefined
  return { type: ending === "log" ? "log" : "table", number: Number(number) }
}

/** Whether a file holds records: a table, or a log of what is in no table yet. */
export function holdsRecords(name: string): boolean {
  const type = parseFileName(name)?.type
  return type === "table" || type === "log"
}

/** A number as it stands in file names. */
export function padded(number: number): string {
  return String(number).padStart(6, "0")
}

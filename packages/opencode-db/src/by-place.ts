import type { TextRecord } from "@sessile/core/storage"
import { databaseKinds, kindName } from "./record-kind.js"

/** Whether a record is kept in a table; all others are kept in files. */
export function isRow({ key }: Pick<TextRecord, "key">): boolean {
  return databaseKinds.has(kindName(key))
}

/** Handles items by where their records are kept, and gives the results in the order of the items. */
export async function byPlace<Item extends Pick<TextRecord, "key">, Result>(
  items: readonly Item[],
  handleRows: (items: readonly Item[]) => readonly Result[] | Promise<readonly Result[]>,
  handleFiles: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const rows: Item[] = []
  const files: Item[] = []
  for (const item of items) (isRow(item) ? rows : files).push(item)
  const ofRows = rows.length === 0 ? [] : await handleRows(rows)
  if (files.length === 0) return ofRows
  const ofFiles = await handleFiles(files)
  let [row, file] = [0, 0]
  return items.map((item) => (isRow(item) ? ofRows[row++] : ofFiles[file++]) as Result)
}
